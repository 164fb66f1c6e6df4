import { nextTick } from 'vue'

/** Puts the focus on the heading of the screen, once it stands. */
export async function focusHeading(): Promise<void> {
  await nextTick()
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** The same where what had the focus is gone or hidden. */
export async function catchFocus(): Promise<void> {
  await nextTick()
  const focused = document.activeElement
  if (!focused || focused === document.body || !focused.checkVisibility()) await focusHeading()
}

/** Puts the cursor where this screen is searched; false where there is nothing to search. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main [role="search"] input')
  field?.focus()
  field?.select()
  return field !== null
}
