import { Problem } from '../api/client'
import { t } from './words'

/** What went wrong, in words for whoever tried it. */
export function told(error: unknown): string {
  if (error instanceof Problem) return error.detail || t('unreachable')
  return error instanceof Error ? error.message : String(error)
}
