import { tag } from './words'

/** What is made once for each language. */
function forEach<T>(make: (tag: string) => T): () => T {
  const made = new Map<string, T>()
  return () => {
    const one = made.get(tag.value) ?? make(tag.value)
    made.set(tag.value, one)
    return one
  }
}

const moments = forEach((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }))
const days = forEach((tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' }))
const numbers = forEach((tag) => new Intl.NumberFormat(tag))
const shares = forEach((tag) => new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 }))

/** A time of the wire in the viewer's zone, short. */
export function shown(at: string | null | undefined): string {
  return at ? moments().format(new Date(at)) : ''
}

/** The same, the day alone. */
export function day(at: string | null | undefined): string {
  return at ? days().format(new Date(at)) : ''
}

/** A date (`yyyy-mm-dd`) whatever the viewer's zone. */
export function date(day: string): string {
  return days().format(new Date(`${day}T12:00`))
}

export function number(value: number): string {
  return numbers().format(value)
}

export function percent(share: number): string {
  return shares().format(share)
}

/** The end of a day (`yyyy-mm-dd`, as a field for dates has it) in the viewer's zone; undefined: there is no such day. */
export function endOf(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}
