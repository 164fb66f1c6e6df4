import { computed, reactive } from 'vue'
import { actFor, type Here, Problem, signOut, UNREACHABLE, whenSignedOut, whoIsHere } from '../api/client'
import { t } from './words'

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
export const isOperator = computed(() => may('operate'))

const PULSE_MS = 2000

/** Finds out who is here, and from then on whether they still are, and whether the gateway still answers. */
export async function begin(): Promise<void> {
  whenSignedOut(() => become(undefined))
  await look()
  const seen = (): void => void (document.hidden || look())
  setInterval(seen, PULSE_MS)
  document.addEventListener('visibilitychange', seen)
}

/**
 * Takes note of who signed in here. Throws a Problem when the browser does not say so, and an Error when it says that it
 * was somebody else, in another tab.
 */
export async function enter(signedIn: Here): Promise<void> {
  const here = await whoIsHere()
  if (here.visit !== signedIn.visit) throw new Error(t('signedInBeside'))
  become(here)
}

let looks = 0
let past = 0 // of this look and those before the answers no longer count

function become(here: Here | undefined): void {
  past = looks
  actFor(here)
  visit.here = here
}

/**
 * Somebody who reads a page must not take it for what is so while the gateway is away, nor go on with it when somebody
 * else has signed in beside them.
 */
async function look(): Promise<void> {
  const mine = ++looks
  try {
    const here = await whoIsHere()
    if (mine <= past) return
    past = mine
    if (visit.here !== undefined && visit.here.visit !== here.visit) return location.reload()
    if (visit.here === undefined) become(here)
    visit.known = true
    visit.unreachable = false
  } catch (error) {
    if (mine <= past) return
    past = mine
    const code = error instanceof Problem ? error.code : ''
    visit.unreachable = code === UNREACHABLE
    visit.known ||= !visit.unreachable
    if (code === 'unauthorized') become(undefined)
  }
}

/** Throws a Problem, and leaves everything as it is, when the gateway does not take the cookie away. */
export async function leave(): Promise<void> {
  await signOut()
  become(undefined)
}
