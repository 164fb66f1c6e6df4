import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { effectScope, ref, shallowRef, type EffectScope } from 'vue'
import { keepLive, keepTold } from './live'

let scope: EffectScope
let looks = new Set<() => void>()
const page = {
  hidden: false,
  addEventListener: (_: string, work: () => void) => looks.add(work),
  removeEventListener: (_: string, work: () => void) => looks.delete(work),
}
function seen(): void {
  for (const look of looks) look()
}
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  page.hidden = false
  looks = new Set()
  scope = effectScope()
})
afterEach(() => {
  scope.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function live(answer: () => unknown, takesMs = 0, moves = () => true) {
  const made = asking(answer, takesMs)
  scope.run(() => keepLive(made.asked as never, moves))
  return made
}

function asking(answer: () => unknown, takesMs: number) {
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

/** A browser's stream of events, of which the test says what comes. */
class Source extends EventTarget {
  static all: Source[] = []
  readonly CLOSED = 2
  readyState = 0
  constructor(readonly url: string) {
    super()
    Source.all.push(this)
  }
  close(): void {
    this.readyState = this.CLOSED
  }
  comes(type: string, lastEventId = ''): void {
    this.dispatchEvent(Object.assign(new Event(type), { lastEventId }))
  }
  isRefused(): void {
    this.close()
    this.comes('error')
  }
}

describe('what is kept told', () => {
  beforeEach(() => {
    Source.all = []
    vi.stubGlobal('EventSource', Source)
  })

  /** Something whose revision the gateway has, shown as of the first one. */
  function told(takesMs = 0) {
    let revision = '1'
    const made = asking(() => ({ revision }), takesMs)
    made.asked.value.value = { revision }
    let over = false
    const end = scope.run(() => keepTold(made.asked as never, { path: '/v1/WatchThing', event: 'thing' }, () => !over))!
    const ends = (): void => {
      over = true
      end()
    }
    return { ...made, ends, becomes: (next: string) => (revision = next), source: () => Source.all[Source.all.length - 1]! }
  }

  it('is not asked for while it is told of, but after each change', async () => {
    const { times, becomes, source } = told()
    expect(source().url).toBe('/v1/WatchThing')
    source().comes('thing', '1')
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(times()).toBe(0)
    becomes('2')
    source().comes('thing', '2')
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(times()).toBe(1)
  })

  it('is asked for once more when changes come while an answer is on its way, not for each of them', async () => {
    const { times, becomes, source } = told(2_000)
    for (const revision of ['2', '3', '4']) {
      becomes(revision)
      source().comes('thing', revision)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(times()).toBe(1)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times()).toBe(1)
    becomes('5')
    source().comes('thing', '5')
    await vi.advanceTimersByTimeAsync(100)
    source().comes('thing', '6') // and the answer is of before it
    await vi.advanceTimersByTimeAsync(2_000)
    becomes('6')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(times()).toBe(3)
  })

  it('is asked for again and again where no stream is to be had, and one is asked for anew', async () => {
    const { times, source } = told()
    source().isRefused()
    await vi.advanceTimersByTimeAsync(6_000)
    expect(times()).toBeGreaterThan(0)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(Source.all.length).toBe(2)
    source().comes('thing', '1')
    const before = times()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(times()).toBe(before)
  })

  it('is asked for again and again where events are held back on their way', async () => {
    const { times, source } = told()
    source().comes('open')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(times()).toBeGreaterThan(0)
  })

  it('is asked for at once when the gateway is away, and no more when the browser has found it again', async () => {
    const { times, source } = told()
    source().comes('thing', '1')
    source().comes('error')
    expect(times()).toBe(1)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(times()).toBeGreaterThan(1)
    expect(Source.all.length).toBe(1)
    source().comes('open')
    const before = times()
    await vi.advanceTimersByTimeAsync(10 * 60_000)
    expect(times()).toBe(before)
  })

  it('shows trouble, and asks again when it is over though nothing has changed', async () => {
    const { asked, times, source } = told()
    source().comes('thing', '1')
    source().comes('trouble')
    expect(times()).toBe(1)
    await vi.advanceTimersByTimeAsync(0)
    asked.problem.value = 'away' as never
    source().comes('thing', '1')
    expect(times()).toBe(2)
  })

  it('is not told while nobody looks, and from the beginning when somebody does', async () => {
    const { times, source } = told()
    const first = source()
    first.comes('thing', '1')
    page.hidden = true
    seen()
    expect(first.readyState).toBe(first.CLOSED)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([times(), Source.all.length]).toEqual([0, 1])
    page.hidden = false
    seen()
    await vi.advanceTimersByTimeAsync(0)
    expect([times(), Source.all.length]).toEqual([1, 2])
  })

  it('is let go where there is no more to be told, also when somebody looks again', async () => {
    const { times, ends, source } = told()
    source().comes('thing', '1')
    ends()
    expect(source().readyState).toBe(source().CLOSED)
    seen()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([times(), Source.all.length]).toEqual([0, 1])
  })

  it('is let go with its screen', async () => {
    const { times, source } = told()
    scope.stop()
    expect(source().readyState).toBe(source().CLOSED)
    seen()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([times(), Source.all.length]).toEqual([0, 1])
  })
})
