import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, ref, type EffectScope } from 'vue'
import { Problem } from '../api/client'
import { useAsked } from './asked'

let scope: EffectScope
beforeEach(() => {
  vi.useFakeTimers()
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
})

function later<T>(value: T, ms: number): Promise<T> {
  return new Promise((done) => setTimeout(() => done(value), ms))
}

describe('what is asked for', () => {
  it('is asked for anew when what it is of changes, and an answer that was overtaken is dropped', async () => {
    const of = ref('slow')
    const asked = scope.run(() => useAsked(() => later(of.value, of.value === 'slow' ? 100 : 10), of))!
    of.value = 'fast'
    await vi.advanceTimersByTimeAsync(10)
    expect(asked.value.value).toBe('fast')
    await vi.advanceTimersByTimeAsync(200)
    expect(asked.value.value).toBe('fast')
    expect(asked.loading.value).toBe(false)
  })

  it('is retried by itself where that is worth it, and keeps what was there beside the problem', async () => {
    let times = 0
    const asked = scope.run(() =>
      useAsked(async () => {
        times += 1
        if (times === 2) throw new Problem(503, 'store_unavailable', 'away', 3)
        return times
      }),
    )!
    await vi.advanceTimersByTimeAsync(0)
    await asked.again()
    expect([asked.value.value, asked.problem.value?.code]).toEqual([1, 'store_unavailable'])
    await vi.advanceTimersByTimeAsync(2999)
    expect(times).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect([asked.value.value, asked.problem.value]).toEqual([3, undefined])
  })

  it('is not retried for ever once nobody looks', async () => {
    let times = 0
    const asked = scope.run(() =>
      useAsked(async () => {
        times += 1
        throw new Problem(503, 'store_unavailable', 'away', 1)
      }),
    )!
    await vi.advanceTimersByTimeAsync(0)
    scope.stop()
    await asked.again()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(times).toBe(1)
  })

  it('is not asked again for what was refused', async () => {
    let times = 0
    scope.run(() =>
      useAsked(async () => {
        times += 1
        throw new Problem(404, 'not_found', 'no', null)
      }),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect(times).toBe(1)
  })

  it('leaves nothing of what it was of before on the screen: neither the answer nor the problem', async () => {
    const of = ref('fine')
    const asked = scope.run(() => useAsked(() => (of.value === 'broken' ? Promise.reject(new Problem(400, 'bad', 'no', null)) : later(of.value, 10)), of))!
    await vi.advanceTimersByTimeAsync(10)
    of.value = 'slow'
    await vi.advanceTimersByTimeAsync(1)
    expect(asked.value.value).toBeUndefined()
    of.value = 'broken'
    await vi.advanceTimersByTimeAsync(0)
    expect(asked.problem.value?.code).toBe('bad')
    of.value = 'fine'
    await vi.advanceTimersByTimeAsync(1)
    expect(asked.problem.value).toBeUndefined()
  })

  it.each([404, 403])('is taken off the screen when it is answered with %i', async (status) => {
    let times = 0
    const asked = scope.run(() => useAsked(async () => (times++ ? Promise.reject(new Problem(status, 'gone', 'no', null)) : 'erased since')))!
    await vi.advanceTimersByTimeAsync(0)
    await asked.again()
    expect([asked.value.value, asked.problem.value?.status]).toEqual([undefined, status])
  })
})
