import { locale } from './words'

/** A time of the wire in the viewer's zone, short. */
export function shown(at: string | null | undefined): string {
  if (!at) return ''
  return new Intl.DateTimeFormat(locale.value === 'zh' ? 'zh-CN' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(at))
}

/** The same, the day alone. */
export function day(at: string | null | undefined): string {
  if (!at) return ''
  return new Intl.DateTimeFormat(locale.value === 'zh' ? 'zh-CN' : 'en-GB', { dateStyle: 'medium' }).format(new Date(at))
}

export function number(value: number): string {
  return new Intl.NumberFormat(locale.value === 'zh' ? 'zh-CN' : 'en-GB').format(value)
}

export function percent(share: number): string {
  return new Intl.NumberFormat(locale.value === 'zh' ? 'zh-CN' : 'en-GB', {
    style: 'percent',
    maximumFractionDigits: 1,
  }).format(share)
}
