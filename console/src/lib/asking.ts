import { nextTick, shallowRef, useTemplateRef, type ShallowRef } from 'vue'

/** A dialog (`ref="asking"`) about one of several: it is there once somebody asked about one. */
export function useAsking<T>(): { about: Readonly<ShallowRef<T | undefined>>; ask: (one: T) => Promise<void> } {
  const dialog = useTemplateRef<{ open: () => void }>('asking')
  const about = shallowRef<T>()
  async function ask(one: T): Promise<void> {
    about.value = one
    await nextTick()
    dialog.value?.open()
  }
  return { about, ask }
}
