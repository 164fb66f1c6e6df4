import { expect, it, vi } from 'vitest'
import { takeout } from './takeout'

type Asked = { cursor?: string; states?: string[]; kinds?: string[]; include?: string[] }
const asked: [string, Asked][] = []

vi.mock('../api/client', () => ({
  call: async (name: string, request: Asked) => {
    asked.push([name, request])
    if (name === 'GetProfile') return { allergies: ['latex'] }
    return request.cursor ? { items: [{ id: `${name} 2` }], cursor: '' } : { items: [{ id: `${name} 1` }], cursor: 'more' }
  },
}))

it('all that is kept of a person is taken out: every page, every state and every kind', async () => {
  const counts: number[] = []
  const lines = (await takeout('u', (count) => counts.push(count))).map((line) => JSON.parse(line))
  expect(lines.map(({ record, id }) => [record, id])).toEqual([
    ['head', undefined],
    ['profile', undefined],
    ['conversation', 'ListConversations 1'],
    ['conversation', 'ListConversations 2'],
    ['memunit', 'ListMemUnits 1'],
    ['memunit', 'ListMemUnits 2'],
    ['memory', 'ListMemories 1'],
    ['memory', 'ListMemories 2'],
    ['end', undefined],
  ])
  expect(lines.at(-1).lines).toBe(lines.length)
  expect(counts).toEqual([3, 4, 5, 6, 7, 8])
  const [, memories] = asked.find(([name]) => name === 'ListMemories')!
  expect(memories.states).toEqual(['held', 'ended', 'superseded', 'archived'])
  expect(memories.kinds).toContain('link')
  expect(asked.find(([name]) => name === 'ListMemUnits')![1].include).toEqual(['original_data'])
})
