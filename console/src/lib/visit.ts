import { computed, reactive } from 'vue'
import { actFor, type Here, Problem, signOut, whenSignedOut, whoIsHere } from '../api/client'

/** Who looks, and what they may do. `here` undefined: nobody is signed in; `known` false: that is not known yet. */
export const visit = reactive<{ here: Here | undefined; known: boolean; unreachable: boolean }>({
  here: undefined,
  known: false,
  unreachable: false,
})

export function may(scope: string): boolean {
  return visit.here?.scopes.includes(scope) ?? false
}

export const isAdmin = computed(() => may('admin'))

const PULSE_MS = 2000

/** Finds out who is here, and from then on whether they still are, and whether the gateway still answers. */
export async function begin(): Promise<void> {
  whenSignedOut(() => (visit.here = undefined))
  await look()
  const seen = (): void => void (document.hidden || look())
  setInterval(seen, PULSE_MS)
  document.addEventListener('visibilitychange', seen)
}

/** Takes note of who signed in here. Throws a Problem when the browser does not say so. */
export async function enter(): Promise<void> {
  const here = await whoIsHere()
  actFor(here)
  visit.here = here
}

/**
 * Somebody who reads a page must not take it for what is so while the gateway is away, nor go on with it when somebody
 * else has signed in beside them.
 */
async function look(): Promise<void> {
  try {
    const here = await whoIsHere()
    if (visit.here !== undefined && visit.here.visit !== here.visit) return location.reload()
    if (visit.here === undefined) {
      actFor(here)
      visit.here = here
    }
    visit.known = true
    visit.unreachable = false
  } catch (error) {
    const code = error instanceof Problem ? error.code : ''
    visit.unreachable = code === 'unreachable'
    visit.known ||= !visit.unreachable
    if (code === 'unauthorized') visit.here = undefined
  }
}

/** Throws a Problem, and leaves everything as it is, when the gateway does not take the cookie away. */
export async function leave(): Promise<void> {
  await signOut()
  visit.here = undefined
}
