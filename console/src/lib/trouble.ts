import { Problem, STRANGE, UNREACHABLE } from '../api/client'
import { t } from './words'

/** What went wrong, in words for whoever tried it. */
export function told(error: unknown): string {
  if (!(error instanceof Problem)) return error instanceof Error ? error.message : String(error)
  if (error.code === UNREACHABLE) return t('unreachable')
  if (error.code === STRANGE) return t('strange', { status: error.status })
  if (error.status === 404) return t('notFound')
  if (error.status === 403) return `${t('lacksScope')} ${error.detail}`
  return `${error.detail} (${error.code})`
}
