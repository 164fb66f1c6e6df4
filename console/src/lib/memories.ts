import type { MemoryAnswer } from '../api/operations'
import { PREDICATES } from '../api/predicates'
import { locale, t } from './words'

/** What a predicate is called in the viewer's language; a bot's own is called as it calls it. */
export function predicate(name: string): string {
  return PREDICATES[name]?.[locale.value === 'zh' ? 1 : 0] ?? name
}

/** Attributes that say how a fact stands, not what it says. */
const STANDING = ['ended', 'taken_back', 'contradicts', 'why']

/** Of what does not hold: whether it is over, was taken back, or never was. */
export function negation(memory: MemoryAnswer): string {
  if (memory.polarity !== '-') return ''
  const said = memory.attributes ?? {}
  return t('ended' in said ? 'stopped' : 'taken_back' in said ? 'attribute_taken_back' : 'denied')
}

/** What a fact says, short: its object with what else is said of it; else its text. */
export function gist(memory: MemoryAnswer): string {
  const more = Object.entries(memory.attributes ?? {}).flatMap(([name, said]) => {
    if (STANDING.includes(name)) return []
    return [name === 'since' ? `${t('attribute_since')} ${said}` : said]
  })
  return [memory.object ?? memory.text, ...more].join(' · ')
}
