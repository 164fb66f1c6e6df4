import { onScopeDispose } from 'vue'
import type { Asked } from './asked'

const LIVE_MS = 3000

/** Asks anew again and again while somebody looks and `moves` says that it may have changed; not while there is trouble. */
export function keepLive<T>(asked: Asked<T>, moves: () => boolean = () => true): void {
  const live = setInterval(() => {
    if (!document.hidden && !asked.problem.value && moves()) void asked.again()
  }, LIVE_MS)
  onScopeDispose(() => clearInterval(live))
}
