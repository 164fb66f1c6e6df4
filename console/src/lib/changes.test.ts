import { describe, expect, it } from 'vitest'
import type { ChangeAnswer } from '../api/operations'
import { differences } from './changes'

function change(before: Record<string, unknown>, after: Record<string, unknown>): ChangeAnswer {
  return { number: 1, at: '2026-01-01T00:00:00.000Z', op: 'updated', by: 'nurse', before, after }
}

describe('what a change is of', () => {
  it('is told field by field, also what was or is not there', () => {
    expect(differences(change({ text: 'she runs' }, { text: 'she swims' }))).toEqual([
      { name: 'text', before: 'she runs', after: 'she swims' },
    ])
    expect(differences(change({ importance: 0.5 }, { importance: 0.9, category: 'core' }))).toEqual([
      { name: 'importance', before: '50%', after: '90%' },
      { name: 'category', before: '', after: 'never: core' },
    ])
  })

  it('names what took its place, and shows times as people read them', () => {
    const [place, until] = differences(change({}, { superseded_by: 'm2', valid_to: '2026-01-02T10:00:00.000Z' }))
    expect(place).toEqual({ name: 'superseded_by', before: '', after: 'm2', by: 'm2' })
    expect(until?.after).toContain('2026')
    expect(until?.after).not.toContain('T')
  })

  it('says attributes and signs in words', () => {
    const [more, so] = differences(change({ attributes: { dose: '5 mg', ended: 'true' }, polarity: '+' }, { polarity: '-' }))
    expect(more).toEqual({ name: 'attributes', before: 'dose: 5 mg · is over: ✓', after: '' })
    expect(so).toEqual({ name: 'polarity', before: 'it is so', after: 'it is not so' })
  })
})
