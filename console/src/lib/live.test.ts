import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, ref, shallowRef, type EffectScope } from 'vue'
import { keepLive } from './live'

let scope: EffectScope
let seen: () => void
const page = { hidden: false, addEventListener: (_: string, work: () => void) => (seen = work), removeEventListener: () => (seen = () => {}) }
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function live(answer: () => unknown, takesMs = 0, moves = () => true) {
  const value = shallowRef<unknown>()
  const loading = ref(false)
  let times = 0
  const asked = {
    value,
    problem: shallowRef(),
    loading,
    again: async () => {
      times += 1
      loading.value = true
      if (takesMs) await new Promise((done) => setTimeout(done, takesMs))
      value.value = answer()
      loading.value = false
    },
  }
  scope.run(() => keepLive(asked as never, moves))
  return { asked, times: () => times }
}

describe('what is kept live', () => {
  it('is asked for every three seconds while it changes', async () => {
    let number = 0
    const { times } = live(() => (number += 1))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(times()).toBe(10)
  })

  it('is asked for less and less often while it does not, and soon again after a change', async () => {
    let said = 'a'
    const { times } = live(() => said)
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(times()).toBeLessThan(50)
    said = 'b'
    await vi.advanceTimersByTimeAsync(15_000)
    const before = times()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(times()).toBe(before + 1)
  })

  it('is asked for at once when the page is looked at again, and not while nobody does', async () => {
    const { times } = live(() => 'a')
    page.hidden = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times()).toBe(0)
    page.hidden = false
    seen()
    expect(times()).toBe(1)
  })

  it('is not asked for again while an answer is on its way, nor by two clocks', async () => {
    const { times } = live(() => 'a', 8_000)
    await vi.advanceTimersByTimeAsync(4_000)
    seen()
    seen()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(times()).toBe(1)
    await vi.advanceTimersByTimeAsync(7_000)
    expect(times()).toBe(2)
  })

  it('is left alone while it does not move', async () => {
    let moving = false
    const { times } = live(() => 'a', 0, () => moving)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times()).toBe(0)
    moving = true
    await vi.advanceTimersByTimeAsync(3_000)
    expect(times()).toBe(1)
  })

  it('is let go with its screen', async () => {
    const { times } = live(() => 'a')
    scope.stop()
    await vi.advanceTimersByTimeAsync(60_000)
    seen()
    expect(times()).toBe(0)
  })
})
