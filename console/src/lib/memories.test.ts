import { describe, expect, it } from 'vitest'
import type { MemoryAnswer, SafetyDetail } from '../api/operations'
import { besideSafety, choiceOf, gist, isCorrectable, negation, STATES } from './memories'

function memory(more: Partial<MemoryAnswer>): MemoryAnswer {
  return { memory_id: 'm', text: 'we talked', ...more } as MemoryAnswer
}

describe('what a memory says in short', () => {
  it('is its object and what else is said of it', () => {
    const attributes = { dose: '5 mg', frequency: 'daily', taken_back: 'true' }
    expect(gist(memory({ object: 'amlodipine', attributes }))).toBe('amlodipine · 5 mg · daily')
    expect(gist(memory({}))).toBe('we talked')
  })

  it('tells what is over from what was taken back and from what never was', () => {
    expect(negation(memory({ polarity: '-', attributes: { ended: 'true' } }))).toBe('no longer')
    expect(negation(memory({ polarity: '-', attributes: { taken_back: 'true' } }))).toBe('taken back')
    expect(negation(memory({ polarity: '-' }))).toBe('denied')
    expect(negation(memory({ polarity: '+', attributes: { ended: 'true' } }))).toBe('')
  })
})

describe('what is known beside safety', () => {
  it('is grouped by what it is about, and tells nothing twice', () => {
    const [allergy, pill, other, made] = [
      memory({ memory_id: 'a', predicate: 'allergy' }),
      memory({ memory_id: 'b', predicate: 'medication' }),
      memory({ memory_id: 'c', predicate: 'medication' }),
      memory({ memory_id: 'd' }),
    ]
    const safety = [{ kind: 'allergy', text: 'latex', status: 'said', memory_id: 'a' }] as SafetyDetail[]
    expect(besideSafety([pill, allergy, made, other], safety)).toEqual([
      ['created', [made]],
      ['medication', [pill, other]],
    ])
  })
})

describe('what somebody wants to see', () => {
  it('is all where nothing is said, and else just that', () => {
    expect(choiceOf({ kind: '', state: '', contains: ' ' })).toEqual({ kinds: null, states: [...STATES], contains: null })
    expect(choiceOf({ kind: 'fact', state: 'archived', contains: ' tea ' })).toEqual({
      kinds: ['fact'],
      states: ['archived'],
      contains: 'tea',
    })
  })
})

describe('what is put right here', () => {
  it('is a fact that holds and a created memory, nothing of safety, no name', () => {
    const like = { kind: 'fact', predicate: 'like' } as const
    expect(isCorrectable(memory(like))).toBe(true)
    expect(isCorrectable(memory({ kind: 'created', predicate: 'tea' }))).toBe(true)
    expect(isCorrectable(memory({ kind: 'episode' }))).toBe(false)
    for (const predicate of ['allergy', 'possible_disease', 'name']) {
      expect(isCorrectable(memory({ kind: 'fact', predicate }))).toBe(false)
    }
    for (const over of [{ superseded_by: 'm' }, { valid_to: 'then' }, { archived_at: 'then' }]) {
      expect(isCorrectable(memory({ ...like, ...over }))).toBe(false)
    }
  })
})
