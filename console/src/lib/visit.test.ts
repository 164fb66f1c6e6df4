import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Here } from '../api/client'

const PULSE_MS = 2000
const NURSE: Here = { tenant: 't', name: 'nurse', scopes: ['read', 'admin'], open: false, visit: 'n' }
const GUEST: Here = { ...NURSE, name: 'guest', scopes: ['read'], visit: 'g' }
const NOBODY = [401, { code: 'unauthorized', detail: 'sign in', status: 401 }] as const

type Said = readonly [number, object]
let waiting: ((said: Said) => void)[]
let reload: ReturnType<typeof vi.fn>
let visits: typeof import('./visit')
let client: typeof import('../api/client')

/** Answers what was asked first of what waits. */
async function answer(...said: Said): Promise<void> {
  waiting.shift()!(said)
  await vi.advanceTimersByTimeAsync(0)
}

beforeEach(async () => {
  vi.useFakeTimers()
  waiting = []
  reload = vi.fn()
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('fetch', async () => {
    const [status, body] = await new Promise<Said>((done) => waiting.push(done))
    return new Response(JSON.stringify(body), { status })
  })
  vi.resetModules()
  visits = await import('./visit')
  client = await import('../api/client')
  void visits.begin()
})

describe('who is here', () => {
  it('is found out at first, and again and again', async () => {
    expect(visits.visit.known).toBe(false)
    await answer(200, NURSE)
    expect([visits.visit.here?.name, visits.isAdmin.value, visits.may('erase')]).toEqual(['nurse', true, false])
    await vi.advanceTimersByTimeAsync(PULSE_MS)
    await answer(...NOBODY)
    expect([visits.visit.here, visits.visit.known]).toEqual([undefined, true])
  })

  it('is nobody after a call was answered 401, without waiting for the next look', async () => {
    await answer(200, NURSE)
    const asked = client.call('GetProfile', { user_id: 'u' }).catch(() => undefined)
    await answer(...NOBODY)
    await asked
    expect(visits.visit.here).toBeUndefined()
  })

  it('loads the page anew when it is somebody else', async () => {
    await answer(200, NURSE)
    await vi.advanceTimersByTimeAsync(PULSE_MS)
    await answer(200, GUEST)
    expect(reload).toHaveBeenCalledOnce()
  })

  it('is not who has signed out, told by a look that left before', async () => {
    await answer(200, NURSE)
    await vi.advanceTimersByTimeAsync(PULSE_MS)
    const left = visits.leave()
    const [look, out] = waiting.splice(0)
    out!([200, {}])
    await left
    look!([200, NURSE])
    await vi.advanceTimersByTimeAsync(0)
    expect(visits.visit.here).toBeUndefined()
  })

  it('is who has just signed in, whatever a look says that left before', async () => {
    await answer(...NOBODY)
    await vi.advanceTimersByTimeAsync(PULSE_MS)
    const entered = visits.enter(NURSE)
    const [look, here] = waiting.splice(0)
    here!([200, NURSE])
    await entered
    look!(NOBODY)
    await vi.advanceTimersByTimeAsync(0)
    expect(visits.visit.here?.name).toBe('nurse')
  })

  it('is not somebody else who signed in at the same moment', async () => {
    await answer(...NOBODY)
    const entered = visits.enter(NURSE).catch((error: Error) => error.message)
    await answer(200, GUEST)
    expect(await entered).toContain('another tab')
    expect(visits.visit.here).toBeUndefined()
  })

  it('is not known while the gateway does not answer, and the page says so', async () => {
    await answer(200, NURSE)
    await vi.advanceTimersByTimeAsync(PULSE_MS)
    await answer(502, {})
    expect([visits.visit.here?.name, visits.visit.unreachable]).toEqual(['nurse', true])
    await vi.advanceTimersByTimeAsync(PULSE_MS)
    await answer(200, NURSE)
    expect(visits.visit.unreachable).toBe(false)
  })
})
