import type { ChangeAnswer } from '../api/operations'
import { predicate } from './memories'
import { number, percent, shown } from './times'
import { named, t } from './words'

/** One field that a change is of, as people read it. */
export interface Difference {
  name: string
  before: string
  after: string
  /** The memory that took its place, by its id. */
  by?: string
}

/** What differs, field by field; what was or is not there is empty. */
export function differences({ before, after }: ChangeAnswer): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.map((name) => {
    const by = name === 'superseded_by' ? after[name] : undefined
    return { name, before: read(name, before[name]), after: read(name, after[name]), ...(by ? { by: String(by) } : {}) }
  })
}

function read(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (name.endsWith('_at') || name.startsWith('valid_')) return shown(String(value))
  if (name === 'importance') return percent(Number(value))
  if (name === 'polarity') return t(value === '-' ? 'isNotSo' : 'isSo')
  if (name === 'predicate') return predicate(String(value))
  if (name === 'subject') return named('role', String(value))
  if (name === 'category') return named('category', String(value))
  if (typeof value === 'number') return number(value)
  if (typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([key, said]) => `${named('attribute', key)}: ${said === 'true' ? '✓' : said}`)
    .join(' · ')
}
