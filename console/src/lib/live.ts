import { onScopeDispose } from 'vue'
import type { Asked } from './asked'

const LIVE_MS = 3000
const QUIET_MS = 15_000
const SLOWER = 1.5

/**
 * Asks anew again and again while somebody looks and `moves` says that it may have changed; not while there is trouble,
 * nor while an answer is on its way, which would be dropped. Soon after a change, less and less often while there is
 * none (each time stands in the audit), and at once when the page is looked at again.
 */
export function keepLive<T>(asked: Asked<T>, moves: () => boolean = () => true, everyMs = LIVE_MS): void {
  let wait = everyMs
  let known = ''
  let over = false
  let timer = setTimeout(look, wait)

  async function look(): Promise<void> {
    if (!document.hidden && !asked.problem.value && !asked.loading.value && moves()) {
      await asked.again()
      const found = JSON.stringify(asked.value.value) ?? ''
      wait = found === known ? Math.min(wait * SLOWER, Math.max(QUIET_MS, everyMs)) : everyMs
      known = found
    }
    clearTimeout(timer)
    if (!over) timer = setTimeout(look, wait)
  }
  function seen(): void {
    wait = everyMs
    if (!document.hidden) void look()
  }
  document.addEventListener('visibilitychange', seen)
  onScopeDispose(() => {
    over = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
  })
}
