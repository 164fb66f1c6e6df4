import type { MemoryAnswer } from '../api/operations'
import { PREDICATES } from '../api/predicates'
import { locale } from './words'

/** What a predicate is called in the viewer's language; a bot's own is called as it calls it. */
export function predicate(name: string): string {
  return PREDICATES[name]?.[locale.value === 'zh' ? 1 : 0] ?? name
}

/** Attributes that say how a fact stands, not what it says. */
const STANDING = ['ended', 'taken_back', 'contradicts', 'why']

/** What a fact says, short: its object with what else is said of it; else its text. */
export function gist(memory: MemoryAnswer): string {
  const more = Object.entries(memory.attributes ?? {}).flatMap(([name, said]) => (STANDING.includes(name) ? [] : [said]))
  return [memory.object ?? memory.text, ...more].join(' · ')
}
