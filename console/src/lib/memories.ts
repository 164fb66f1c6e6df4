import type { MemoryAnswer } from '../api/operations'
import { PREDICATES } from '../api/predicates'
import { locale } from './words'

/** What a predicate is called in the viewer's language; a bot's own is called as it calls it. */
export function predicate(name: string): string {
  return PREDICATES[name]?.[locale.value === 'zh' ? 1 : 0] ?? name
}

/** What a fact says, short: its object with what else is said of it; else its text. */
export function gist(memory: MemoryAnswer): string {
  const more = Object.values(memory.attributes ?? {})
  return [memory.object ?? memory.text, ...more].join(' · ')
}
