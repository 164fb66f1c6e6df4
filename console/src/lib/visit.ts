import { computed, reactive } from 'vue'
import { signOut, whenSignedOut, whoIsHere, type Here, Problem } from '../api/client'

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

const RETRY_MS = 2000

/** Finds out who is here; asks on until the gateway answers. */
export async function begin(): Promise<void> {
  whenSignedOut(() => (visit.here = undefined))
  try {
    visit.here = await whoIsHere()
    visit.unreachable = false
    visit.known = true
  } catch (error) {
    visit.unreachable = error instanceof Problem && error.code === 'unreachable'
    visit.known = !visit.unreachable
    if (visit.unreachable) setTimeout(begin, RETRY_MS)
  }
}

export async function leave(): Promise<void> {
  await signOut()
  visit.here = undefined
}
