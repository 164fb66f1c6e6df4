import { computed, reactive } from 'vue'
import { isAlive, signOut, whenSignedOut, whoIsHere, type Here, Problem } from '../api/client'

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

/** Finds out who is here, and from then on whether the gateway still answers. */
export async function begin(): Promise<void> {
  whenSignedOut(() => (visit.here = undefined))
  await look()
  setInterval(() => void pulse(), PULSE_MS)
}

async function look(): Promise<void> {
  try {
    visit.here = await whoIsHere()
    visit.known = true
    visit.unreachable = false
  } catch (error) {
    visit.unreachable = error instanceof Problem && error.code === 'unreachable'
    visit.known ||= !visit.unreachable
  }
}

/** Somebody who reads a page must not take it for what is so while the gateway is away. */
async function pulse(): Promise<void> {
  if (document.hidden) return
  if (!visit.known) await look()
  else visit.unreachable = !(await isAlive())
}

export async function leave(): Promise<void> {
  await signOut()
  visit.here = undefined
}
