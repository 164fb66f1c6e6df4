import type { SafetyDetail } from '../api/operations'

/** Of a denial: of anything of its kind. */
export const ANY = '*'

export interface SafetyLines {
  /** What is so, as far as is known. */
  sure: SafetyDetail[]
  possible: SafetyDetail[]
  denied: SafetyDetail[]
}

/** Safety facts by how they stand: each in one list. */
export function byStanding(details: readonly SafetyDetail[]): SafetyLines {
  const certain = details.filter((one) => one.status !== 'possible')
  return {
    sure: certain.filter((one) => !one.denied),
    possible: details.filter((one) => one.status === 'possible'),
    denied: certain.filter((one) => one.denied),
  }
}

/** Whether the patient denied afterwards what is held of them: this, or anything of its kind. */
export function isContested(held: SafetyDetail, denied: readonly SafetyDetail[]): boolean {
  return denied.some((one) => one.status !== 'confirmed' && isOfSame(one, held) && !isAfter(held, one))
}

function isOfSame(denial: SafetyDetail, held: SafetyDetail): boolean {
  return denial.kind === held.kind && (denial.text === ANY || denial.text.toLowerCase() === held.text.toLowerCase())
}

/** Times of the wire are in UTC: they compare as texts. */
function isAfter(one: SafetyDetail, other: SafetyDetail): boolean {
  if (!one.said_at || !other.said_at) return false
  return one.said_at === other.said_at ? (one.seq ?? 0) > (other.seq ?? 0) : one.said_at > other.said_at
}
