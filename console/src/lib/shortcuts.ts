import { onScopeDispose, ref } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import type { Word } from './words'

/** A screen that `g` and a letter lead to. */
export interface Jump {
  key: string
  word: Word
  to: RouteLocationRaw
}

export interface Acts {
  jumps: () => readonly Jump[]
  go: (jump: Jump) => void
  /** Puts the cursor where one looks for something; false: there is nothing of the kind. */
  find: () => boolean
  help: () => void
}

const KEPT = 'anamnesis.shortcuts'
const OFF = 'off'
const WAITS_MS = 1500
const MODIFIERS = ['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']
const TYPES = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'

/** Whether keys do anything: who speaks to their machine, or whose hand slips, turns them off (WCAG 2.1.4). */
export const isOn = ref(localStorage.getItem(KEPT) !== OFF)

export function turn(on: boolean): void {
  isOn.value = on
  localStorage.setItem(KEPT, on ? '' : OFF)
}

function isTaken(event: KeyboardEvent): boolean {
  const isCommand = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph') // some keyboards need it for /
  const isTyped = event.target instanceof Element && event.target.closest(TYPES) !== null
  return (
    event.defaultPrevented || event.isComposing || event.metaKey || isCommand || isTyped ||
    document.querySelector('dialog[open]') !== null
  )
}

/** Listens for `g` and a letter, `/` and `?`, wherever nothing is typed. */
export function useShortcuts(acts: Acts): void {
  let since = -Infinity

  function press(event: KeyboardEvent): void {
    if (MODIFIERS.includes(event.key)) return
    const waits = event.timeStamp - since < WAITS_MS
    since = -Infinity
    if (!isOn.value || isTaken(event)) return
    const key = event.key.toLowerCase()
    const jump = waits ? acts.jumps().find((each) => each.key === key) : undefined
    if (key === 'g' && !jump) since = event.timeStamp
    if (jump) acts.go(jump)
    else if (event.key === '?') acts.help()
    else if (event.key !== '/' || !acts.find()) return
    event.preventDefault()
  }
  window.addEventListener('keydown', press)
  onScopeDispose(() => window.removeEventListener('keydown', press))
}
