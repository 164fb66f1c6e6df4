import { beforeEach, expect, it, vi } from 'vitest'
import { Problem } from '../api/client'
import { checked, recordsOf, writerOf } from './recordFiles'
import { exported, imported, type Outcome } from './transfer'

type Request = { user_id?: string | null; cursor?: string; records?: { memory_id: string; user_id: string }[]; dry_run?: boolean }
const asked: [string, Request][] = []
let answers: ((name: string, request: Request) => unknown)[] = []

vi.mock('../api/client', async (original) => ({
  ...(await original<typeof import('../api/client')>()),
  call: async (name: string, request: Request) => {
    asked.push([name, request])
    return answers.shift()!(name, request)
  },
}))

beforeEach(() => {
  asked.length = 0
  answers = []
})

function record(number: number, user = 'u1'): never {
  const source = { conversation: 'c', unit_id: '', seqs: [], quote: '' }
  return { memory_id: `m${number}`, user_id: user, kind: 'fact', category: 'fact', type: 'fact', text: 'x'.repeat(700), source, occurred_ms: 0, recorded_ms: 0 } as never
}

const page = (records: unknown[], cursor: string) => () => ({ records, cursor, as_of: '2026-01-31T08:30:00.000Z' })
const busy = (code: string, retryAfterS: number | null) => () => {
  throw new Problem(503, code, 'later', retryAfterS)
}
const none = new AbortController().signal

it('every page is asked for, and a busy gateway again', async () => {
  answers = [page([record(1)], 'u1/m1'), busy('store_unavailable', 0), page([record(2)], '')]
  const counts: number[] = []
  const file = await exported('', 'jsonl', (count) => counts.push(count), none)
  expect(await checked(file)).toEqual({ memories: 2, users: 1 })
  expect(asked.map(([, { cursor, user_id }]) => [cursor, user_id])).toEqual([['', null], ['u1/m1', null], ['u1/m1', null]])
  expect(counts).toEqual([1, 2])
})

it('what is refused for good, and what was stopped, makes no file', async () => {
  answers = [busy('forbidden', null)]
  await expect(exported('u', 'csv', () => {}, none)).rejects.toThrow('later')
  const stopped = new AbortController()
  answers = [page([record(1)], 'u1/m1')]
  await expect(exported('u', 'txt', () => stopped.abort(), stopped.signal)).rejects.toThrow()
  expect(asked).toHaveLength(2)
})

function file(...those: never[]): Blob {
  const writer = writerOf('jsonl')
  return new Blob([writer.begin('', ''), ...those.map(writer.add), writer.end()])
}

const taken = (_: string, { records }: Request) => ({
  added: records!.length - 1,
  same: 0,
  outcomes: records!.map((_, place) => (place ? { outcome: 'added' } : { outcome: 'refused', reason: 'no' })),
})

it('records are sent user by user, as many as a request takes, and what was refused is told by its line', async () => {
  const those = [...Array.from({ length: 1200 }, (_, number) => record(number)), record(2000, 'u2')]
  answers = Array.from({ length: 4 }, () => taken)
  let outcome: Outcome | undefined
  await imported(file(...those), { user: '', dryRun: true }, (now) => (outcome = now), none)
  expect(asked.map(([, { user_id, records, dry_run }]) => [user_id, records!.length, dry_run])).toEqual([
    ['u1', 500, true],
    ['u1', 500, true],
    ['u1', 200, true],
    ['u2', 1, true],
  ])
  expect(outcome).toEqual({ added: 1197, same: 0, done: 1201, refused: [2, 502, 1002, 1202].map((line) => ({ line, reason: 'no' })) })
  answers = [taken]
  await imported(file(record(1), record(2)), { user: 'other', dryRun: false }, () => {}, none)
  expect(asked.at(-1)![1].user_id).toBe('other')
})

it('large records go in smaller requests', async () => {
  const large = (number: number): never => ({ ...(record(number) as object), text: 'x'.repeat(300_000) }) as never
  answers = Array.from({ length: 2 }, () => taken)
  await imported(file(large(1), large(2), large(3), large(4)), { user: '', dryRun: false }, () => {}, none)
  expect(asked.map(([, { records }]) => records!.length)).toEqual([3, 1])
})

it('what an erasure has overtaken is not sent again', async () => {
  answers = [busy('overtaken', 0), taken]
  await expect(imported(file(record(1)), { user: '', dryRun: false }, () => {}, none)).rejects.toThrow('later')
  expect(asked).toHaveLength(1)
})

it('a file is read without its head and its end', async () => {
  const found = []
  for await (const { number } of recordsOf(file(record(1)))) found.push(number)
  expect(found).toEqual([2])
})
