import { onScopeDispose, shallowRef, watch, type Ref, type WatchSource } from 'vue'
import { Problem } from '../api/client'

export interface Asked<T> {
  /** What was answered last; kept while it is asked for anew, until it is said to be gone. */
  value: Readonly<Ref<T | undefined>>
  /** When that was, as on the wire; empty: never. */
  at: Readonly<Ref<string>>
  problem: Readonly<Ref<Problem | undefined>>
  loading: Readonly<Ref<boolean>>
  again: () => Promise<void>
}

/** Whether it says that what was there is not there, or not for this visitor. */
export function isGone(problem: Problem | undefined): boolean {
  return problem?.status === 404 || problem?.status === 403
}

/**
 * Asks now, and again whenever `of` changes. What is worth a retry (Retry-After, a gateway that does not answer) is
 * retried by itself. An answer that was overtaken is dropped.
 */
export function useAsked<T>(ask: () => Promise<T>, of?: WatchSource | WatchSource[]): Asked<T> {
  const value = shallowRef<T>()
  const at = shallowRef('')
  const problem = shallowRef<Problem>()
  const loading = shallowRef(false)
  let turn = 0
  let over = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function again(): Promise<void> {
    if (over) return
    clearTimeout(timer)
    const mine = ++turn
    loading.value = true
    try {
      const found = await ask()
      if (mine !== turn) return
      value.value = found
      at.value = new Date().toISOString()
      problem.value = undefined
    } catch (error) {
      if (mine !== turn) return
      const found = error instanceof Problem ? error : new Problem(0, 'bug', String(error), null)
      problem.value = found
      if (isGone(found)) value.value = undefined
      if (found.retryAfterS !== null) timer = setTimeout(again, found.retryAfterS * 1000)
    } finally {
      if (mine === turn) loading.value = false
    }
  }

  if (of) {
    watch(of as WatchSource[], () => {
      value.value = undefined
      problem.value = undefined
      void again()
    })
  }
  onScopeDispose(() => {
    over = true
    turn++
    clearTimeout(timer)
  })
  void again()
  return { value, at, problem, loading, again }
}
