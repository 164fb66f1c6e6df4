import { afterEach, describe, expect, it } from 'vitest'
import { ref } from 'vue'
import { useSorting } from './sorting'
import { speak } from './words'

afterEach(() => speak('en'))

const ROWS = [
  { id: 'u10', turns: 3, at: '2026-01-02T00:00:00Z' },
  { id: 'u9', turns: 20, at: null },
  { id: 'u1', turns: 3, at: '2025-12-31T23:59:59Z' },
]
const COLUMNS = { id: (row: (typeof ROWS)[0]) => row.id, turns: (row: (typeof ROWS)[0]) => row.turns, at: (row: (typeof ROWS)[0]) => row.at }

function ids(sorting: { rows: { value: readonly { id: string }[] } }): string[] {
  return sorting.rows.value.map((row) => row.id)
}

describe('rows that are sorted', () => {
  it('go up, down, and back to how they came; only one column says so', () => {
    const sorting = useSorting(() => ROWS, COLUMNS)
    const seen = []
    for (let turn = 0; turn < 4; turn++) {
      seen.push([sorting.wayOf('id'), sorting.wayOf('turns'), ids(sorting).join()])
      sorting.turn('id')
    }
    expect(seen).toEqual([
      ['none', 'none', 'u10,u9,u1'],
      ['ascending', 'none', 'u1,u9,u10'],
      ['descending', 'none', 'u10,u9,u1'],
      ['none', 'none', 'u10,u9,u1'],
    ])
  })
  it('keep their order where they are equal, and another column begins anew', () => {
    const sorting = useSorting(() => ROWS, COLUMNS)
    sorting.turn('id')
    sorting.turn('turns')
    expect([ids(sorting).join(), sorting.wayOf('id'), sorting.wayOf('turns')]).toEqual(['u10,u1,u9', 'none', 'ascending'])
  })
  it('have what is empty last, whichever way', () => {
    const sorting = useSorting(() => ROWS, COLUMNS)
    sorting.turn('at')
    expect(ids(sorting).join()).toBe('u1,u10,u9')
    sorting.turn('at')
    expect(ids(sorting).join()).toBe('u10,u1,u9')
  })
  it('stay sorted when others come, and by the language of the page', () => {
    const rows = ref([{ id: '王' }, { id: '李' }])
    const sorting = useSorting(() => rows.value, { id: (row: { id: string }) => row.id })
    sorting.turn('id')
    speak('zh')
    rows.value = [...rows.value, { id: '陈' }]
    expect(ids(sorting).join()).toBe('陈,李,王')
  })
})
