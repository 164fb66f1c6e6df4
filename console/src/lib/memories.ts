import type { MemoryAnswer, MemoryChoice, SafetyDetail } from '../api/operations'
import { GUARDED, PREDICATES } from '../api/predicates'
import { locale, t } from './words'

/** What a predicate is called in the viewer's language; a bot's own is called as it calls it. */
export function predicate(name: string): string {
  return PREDICATES[name]?.[locale.value === 'zh' ? 1 : 0] ?? name
}

export const KINDS = ['fact', 'event', 'episode', 'created', 'link', 'profile'] as const

/** In which a memory can be: all that are kept are in one of them. */
export const STATES = ['held', 'ended', 'superseded', 'archived'] as const

/** Which memories somebody wants to see; empty: all. */
export interface MemoryFilter {
  kind: string
  state: string
  contains: string
}

/** The same, as ListMemories and PreviewBatch take it. */
export function choiceOf({ kind, state, contains }: MemoryFilter): MemoryChoice {
  return {
    kinds: kind ? KINDS.filter((one) => one === kind) : null,
    states: STATES.filter((one) => !state || one === state),
    contains: contains.trim() || null,
  }
}

/** Attributes that say how a fact stands, not what it says. */
const STANDING = ['ended', 'taken_back', 'contradicts', 'corrects', 'why']

/** Of what does not hold: whether it is over, was taken back, or never was. */
export function negation(memory: MemoryAnswer): string {
  if (memory.polarity !== '-') return ''
  const said = memory.attributes ?? {}
  return t('ended' in said ? 'stopped' : 'taken_back' in said ? 'attribute_taken_back' : 'denied')
}

/** Whether what it says is put right here: of safety and of names the card is for it; what was said stays as it was said. */
export function isCorrectable(memory: MemoryAnswer): boolean {
  if (memory.kind !== 'fact') return memory.kind === 'created'
  const holds = !memory.superseded_by && !memory.valid_to && !memory.archived_at
  return holds && !GUARDED.includes(memory.predicate ?? '')
}

/** What a fact says, short: its object with what else is said of it; else its text. */
export function gist(memory: MemoryAnswer): string {
  const more = Object.entries(memory.attributes ?? {}).flatMap(([name, said]) => {
    if (STANDING.includes(name)) return []
    return [name === 'since' ? `${t('attribute_since')} ${said}` : said]
  })
  return [memory.object ?? memory.text, ...more].join(' · ')
}

/** What is held of a person beside safety, grouped by what it is about: what stands in a safety list is not told twice. */
export function besideSafety(memories: readonly MemoryAnswer[], safety: readonly SafetyDetail[]): [string, MemoryAnswer[]][] {
  const told = new Set(safety.map((one) => one.memory_id))
  const groups = new Map<string, MemoryAnswer[]>()
  for (const memory of memories.filter((one) => !told.has(one.memory_id))) {
    const name = memory.predicate ? predicate(memory.predicate) : t('created')
    groups.set(name, [...(groups.get(name) ?? []), memory])
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b))
}
