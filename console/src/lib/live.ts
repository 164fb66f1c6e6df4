import { onScopeDispose, shallowRef, watch } from 'vue'
import type { Asked } from './asked'

const LIVE_MS = 3000
const QUIET_MS = 15_000
const SLOWER = 1.5
const UNTOLD_MS = 30_000

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

/** A watch of the gateway, and the name of its events. */
export interface Watch {
  path: string
  event: string
}

/**
 * Asks anew after each change that a watch tells of, and not for what is shown already. Nobody is told anything on a page
 * that is not looked at. While no events come (none are to be had, something on the way holds them back, the gateway is
 * away), asks again and again as keepLive does. Returns what ends it: there is no more to be told.
 */
export function keepTold<T extends { revision?: string }>(
  asked: Asked<T>,
  { path, event }: Watch,
  moves?: () => boolean,
): () => void {
  const told = shallowRef(false)
  let comeThrough = false // an event, ever: that a stream is open says nothing where something holds them back
  let news = '' // the revision that was told last, until it is known whether it is one
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function ask(): void {
    if (!news || asked.loading.value) return
    const known = news === asked.value.value?.revision && !asked.problem.value
    news = ''
    if (!known) void asked.again()
  }
  function close(): void {
    clearTimeout(timer)
    source?.close()
    source = undefined
    told.value = false
  }
  function open(): void {
    close()
    if (document.hidden) return
    const opened = new EventSource(path)
    source = opened
    opened.addEventListener('open', () => (told.value = comeThrough))
    opened.addEventListener(event, (change) => {
      told.value = comeThrough = true
      news = change.lastEventId
      ask()
    })
    opened.addEventListener('trouble', () => void asked.again())
    opened.addEventListener('error', () => {
      if (told.value) void asked.again() // perhaps the gateway is away: whoever looks must see that
      told.value = false
      if (opened.readyState === opened.CLOSED) timer = setTimeout(open, UNTOLD_MS) // else the browser tries again
    })
  }

  watch(asked.loading, ask)
  keepLive(asked, () => !told.value && (moves?.() ?? true))
  function end(): void {
    close()
    document.removeEventListener('visibilitychange', open)
  }
  document.addEventListener('visibilitychange', open)
  onScopeDispose(end)
  open()
  return end
}
