import { computed, ref, type ComputedRef } from 'vue'
import { tag } from './words'

/** What of a row is compared; what is empty stands last, whichever way. */
export type Cell = string | number | null | undefined
export type Way = 'ascending' | 'descending' | 'none'

export interface Sorting<T> {
  /** The rows in the order that was chosen, or as they came. */
  rows: ComputedRef<readonly T[]>
  wayOf: (column: string) => Way
  /** Up, down, as they came. */
  turn: (column: string) => void
}

const NEXT: Record<Way, Way> = { none: 'ascending', ascending: 'descending', descending: 'none' }

/** Lets whoever looks order the rows that are shown: times of the wire as text, numbers in texts by their value. */
export function useSorting<T>(rows: () => readonly T[], columns: Record<string, (row: T) => Cell>): Sorting<T> {
  const chosen = ref<{ column: string; way: Way }>({ column: '', way: 'none' })

  function wayOf(column: string): Way {
    return chosen.value.column === column ? chosen.value.way : 'none'
  }
  return {
    wayOf,
    turn: (column) => (chosen.value = { column, way: NEXT[wayOf(column)] }),
    rows: computed(() => {
      const { column, way } = chosen.value
      const cell = columns[column]
      if (!cell || way === 'none') return rows()
      const { compare } = new Intl.Collator(tag.value, { numeric: true })
      const sign = way === 'ascending' ? 1 : -1
      return [...rows()].sort((one, other) => {
        const [a, b] = [cell(one) ?? '', cell(other) ?? '']
        if (a === '' || b === '') return Number(a === '') - Number(b === '')
        return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)))
      })
    }),
  }
}
