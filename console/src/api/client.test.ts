import { afterEach, describe, expect, it, vi } from 'vitest'
import { told } from '../lib/trouble'
import { actFor, call, health, Problem, whenSignedOut, type Here } from './client'

const SOMEBODY: Here = { tenant: 't', name: 'nurse', scopes: [], open: false, visit: 'v' }

function answered(body: string, status: number, headers: Record<string, string> = {}): void {
  vi.stubGlobal('fetch', async () => new Response(body, { status, headers }))
}
async function problemOf(work: Promise<unknown>): Promise<Problem> {
  return work.then(
    () => expect.unreachable('it was no problem'),
    (error: Problem) => error,
  )
}
const ask = (): Promise<unknown> => call('GetProfile', { user_id: 'u' })
const REFUSED = JSON.stringify({ code: 'rate_limited', detail: 'too many', status: 429 })

afterEach(() => vi.useRealTimers())

describe('an answer', () => {
  it('that is not JSON is of a gateway that is away only where a proxy says so', async () => {
    for (const status of [502, 503, 504]) {
      answered('<html>', status)
      expect((await problemOf(ask())).code).toBe('unreachable')
    }
    for (const status of [200, 404, 413]) {
      answered('<html>', status)
      const problem = await problemOf(ask())
      expect([problem.code, problem.retryAfterS]).toEqual(['strange', null])
    }
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
    expect((await problemOf(ask())).code).toBe('unreachable')
  })

  it('that is JSON of somebody else is not taken for a problem of the gateway', async () => {
    answered('{"message": "no upstream"}', 503)
    expect(told(await problemOf(ask()))).toContain('does not answer')
    answered('null', 400)
    expect(told(await problemOf(ask()))).toContain('400')
  })

  it('says when to ask again in seconds or as a date, and never at once nor out of the range of timers', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') })
    const waits = { '7': 7, '0': 1, 'Thu, 01 Jan 2026 00:00:30 GMT': 30, 'Wed, 31 Dec 2025 00:00:00 GMT': 1, soon: null, '9999999': 3600 }
    for (const [header, seconds] of Object.entries(waits)) {
      answered(REFUSED, 429, { 'Retry-After': header })
      expect((await problemOf(ask())).retryAfterS, header).toBe(seconds)
    }
  })

  it('about the health of the gateway is one also when it is down, unless it is no answer of it', async () => {
    answered('{"status": "down", "version": "1", "components": {}}', 503)
    expect((await health()).status).toBe('down')
    answered('<html>', 502)
    expect((await problemOf(health())).code).toBe('unreachable')
    answered(REFUSED, 429)
    expect((await problemOf(health())).code).toBe('rate_limited')
  })

  it('of 401 signs out whom it is about, not who has signed in since', async () => {
    let out = 0
    whenSignedOut(() => (out += 1))
    const refused = JSON.stringify({ code: 'unauthorized', detail: 'no', status: 401 })
    answered(refused, 401)
    await problemOf(ask())
    expect(out).toBe(1)
    const late = problemOf(ask())
    actFor(SOMEBODY)
    await late
    expect(out).toBe(1)
  })
})
