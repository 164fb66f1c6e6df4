import { afterEach, expect, it, vi } from 'vitest'
import { effectScope, ref } from 'vue'
import { usePause } from './pause'
import { day, endOf, number } from './times'
import { speak } from './words'

afterEach(() => {
  speak('en')
  vi.useRealTimers()
})

it('times and figures are told in the language that is chosen, also after it was changed', () => {
  expect([day('2026-03-01T12:00:00Z'), number(1234.5)]).toEqual(['1 Mar 2026', '1,234.5'])
  speak('zh')
  expect(day('2026-03-01T12:00:00Z')).toBe('2026年3月1日')
  speak('en')
  expect(day('2026-03-01T12:00:00Z')).toBe('1 Mar 2026')
  expect(day(undefined)).toBe('')
})

it('a day that there is not has no end', () => {
  expect(endOf('2026-03-01')).toBe(new Date(2026, 2, 1, 23, 59, 59).toISOString())
  for (const none of ['', '275761-01-01', '2026-13-45']) expect(endOf(none)).toBeUndefined()
})

it('what is typed counts once nobody has typed for a moment', async () => {
  vi.useFakeTimers()
  const scope = effectScope()
  const typed = ref('')
  const settled = scope.run(() => usePause(typed))!
  for (const text of ['p', 'pa', 'pat']) {
    typed.value = text
    await vi.advanceTimersByTimeAsync(200)
    expect(settled.value).toBe('')
  }
  await vi.advanceTimersByTimeAsync(50)
  expect(settled.value).toBe('pat')
  scope.stop()
})
