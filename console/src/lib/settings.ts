import type { SettingItem } from '../api/operations'

export interface SettingsFilter {
  contains: string
  changed: boolean
}

export interface Section {
  name: string
  items: SettingItem[]
}

/** Those that fit, by section, in their order. A name, a source or an explanation may contain what is looked for. */
export function sectionsOf(items: readonly SettingItem[], { contains, changed }: SettingsFilter): Section[] {
  const wanted = contains.trim().toLowerCase()
  const found = new Map<string, SettingItem[]>()
  for (const item of items) {
    if (changed && item.origin === 'default') continue
    if (![item.key, item.source ?? '', item.why].some((text) => text.toLowerCase().includes(wanted))) continue
    const [name = ''] = item.key.split('.')
    found.set(name, [...(found.get(name) ?? []), item])
  }
  return [...found].map(([name, items]) => ({ name, items }))
}

/** A value as config.yaml has it; of an empty text its quotes. */
export function written(value: SettingItem['value']): string {
  if (typeof value === 'object') return Object.entries(value).map(([name, choice]) => `${name}: ${choice}`).join(', ')
  return value === '' ? '""' : String(value)
}
