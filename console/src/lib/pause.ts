import { onScopeDispose, ref, watch, type Ref } from 'vue'

const PAUSE_MS = 250

/** The same, once nobody has changed it for a moment: what is typed is not asked for letter by letter. */
export function usePause<T>(of: Readonly<Ref<T>>): Readonly<Ref<T>> {
  const settled = ref(of.value) as Ref<T>
  let timer: ReturnType<typeof setTimeout> | undefined
  watch(of, (now) => {
    clearTimeout(timer)
    timer = setTimeout(() => (settled.value = now), PAUSE_MS)
  })
  onScopeDispose(() => clearTimeout(timer))
  return settled
}
