import { onScopeDispose } from 'vue'
import type { Asked } from './asked'

const LIVE_MS = 3000

/**
 * Asks anew again and again while somebody looks and `moves` says that it may have changed; not while there is trouble,
 * nor while an answer is on its way, which would be dropped.
 */
export function keepLive<T>(asked: Asked<T>, moves: () => boolean = () => true, everyMs = LIVE_MS): void {
  const live = setInterval(() => {
    if (!document.hidden && !asked.problem.value && !asked.loading.value && moves()) void asked.again()
  }, everyMs)
  onScopeDispose(() => clearInterval(live))
}
