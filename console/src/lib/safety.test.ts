import { describe, expect, it } from 'vitest'
import type { SafetyDetail } from '../api/operations'
import { byStanding, isContested } from './safety'

function detail(text: string, more: Partial<SafetyDetail> = {}): SafetyDetail {
  return { kind: 'allergy', text, status: 'said', ...more }
}
const EARLY = '2026-01-01T10:00:00Z'
const LATE = '2026-01-02T10:00:00Z'

describe('safety facts', () => {
  it('stand in one list each: what is only possible is neither sure nor denied', () => {
    const [held, maybe, not, maybeNot] = [
      detail('latex'),
      detail('nuts', { status: 'possible' }),
      detail('eggs', { denied: true }),
      detail('fish', { status: 'possible', denied: true }),
    ]
    const lines = byStanding([held, maybe, not, maybeNot])
    expect(lines).toEqual({ sure: [held], possible: [maybe, maybeNot], denied: [not] })
  })

  it('are contested by a later denial of the same, or of anything of their kind', () => {
    const held = detail('Latex', { said_at: EARLY })
    const denials = (text: string, more: Partial<SafetyDetail> = {}): SafetyDetail[] => [
      detail(text, { denied: true, said_at: LATE, ...more }),
    ]
    expect(isContested(held, denials('latex'))).toBe(true)
    expect(isContested(held, denials('*'))).toBe(true)
    expect(isContested(held, denials('eggs'))).toBe(false)
    expect(isContested(held, denials('*', { kind: 'disease' }))).toBe(false)
    expect(isContested(held, denials('latex', { status: 'confirmed' })), 'a person has decided').toBe(false)
  })

  it('are not contested by what was said before them', () => {
    const denial = detail('*', { denied: true, said_at: EARLY, seq: 3 })
    expect(isContested(detail('latex', { said_at: LATE }), [denial])).toBe(false)
    expect(isContested(detail('latex', { said_at: EARLY, seq: 5 }), [denial])).toBe(false)
    expect(isContested(detail('latex', { said_at: EARLY, seq: 1 }), [denial])).toBe(true)
    expect(isContested(detail('latex'), [denial]), 'nobody knows when').toBe(true)
  })
})
