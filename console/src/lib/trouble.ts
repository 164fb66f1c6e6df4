import { Problem, STRANGE, UNREACHABLE } from '../api/client'
import { t } from './words'

/** What went wrong, in words for whoever tried it. What the gateway itself says (in English) comes after ours. */
export function told(error: unknown): string {
  if (!(error instanceof Problem)) return error instanceof Error ? error.message : String(error)
  if (error.code === UNREACHABLE) return t('unreachable')
  if (error.code === STRANGE) return t('strange', { status: error.status })
  if (error.status === 401) return t('keyUnknown')
  if (error.status === 404) return t('notFound')
  if (error.status === 403) return `${t('lacksScope')} ${error.detail}`
  const theirs = `${error.detail} (${error.code})`
  if (!error.status) return theirs
  return `${t(error.retryAfterS === null ? 'notDone' : 'notNow')} ${theirs}`
}
