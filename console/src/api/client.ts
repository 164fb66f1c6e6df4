import type { Health, Operations, Problem as Told } from './operations'

/** Code of a Problem: no answer of the gateway came. */
export const UNREACHABLE = 'unreachable'
/** Code of a Problem: something between here and the gateway answered. */
export const STRANGE = 'strange'

/** What was answered instead: the gateway's problem document, or one of the two above. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly retryAfterS: number | null,
  ) {
    super(detail)
  }
}

export interface Here {
  tenant: string
  name: string
  scopes: string[]
  open: boolean
  visit: string
}

const MARK = 'X-Anamnesis-Console'
let visit = '1' // what names the visit of this page: somebody else may sign in beside it, in the same browser
let number = 0 // of the visits of this page: an answer to an earlier one says nothing of this one
let onSignedOut: () => void = () => {}

/** What to do when the gateway knows the visitor no longer. */
export function whenSignedOut(work: () => void): void {
  onSignedOut = work
}

/** Calls an operation. Throws a Problem. */
export async function call<Name extends keyof Operations>(
  name: Name,
  request: Operations[Name]['request'],
): Promise<Operations[Name]['response']> {
  const mine = number
  const answer = await send(`/v1/${name}`, 'POST', request)
  if (answer.status === 401 && mine === number) onSignedOut()
  return read(answer)
}

/** Who is here by the browser's cookie. */
export async function whoIsHere(): Promise<Here> {
  return read(await send('/console/session', 'GET'))
}

/** From now on this page acts for them; undefined: for nobody. */
export function actFor(here: Here | undefined): void {
  visit = here?.visit || '1'
  number += 1
}

export async function signIn(key: string): Promise<Here> {
  return read(await send('/console/session', 'POST', { key }))
}

export async function signOut(): Promise<void> {
  await read(await send('/console/session', 'DELETE'))
}

/** How the parts of the gateway are; when it is down that is an answer too. */
export async function health(): Promise<Health> {
  const answer = await send('/health', 'GET')
  const told = await json(answer)
  return isOf<Health>(told, 'components') ? told : taken(answer, told)
}

async function send(path: string, method: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', [MARK]: visit }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  try {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    return await fetch(path, { method, headers, credentials: 'same-origin', cache: 'no-store', ...given })
  } catch {
    throw new Problem(0, UNREACHABLE, '', AGAIN_S)
  }
}

/** What an answer holds; undefined when that is not JSON. */
async function json(answer: Response): Promise<unknown> {
  return answer.json().catch(() => undefined)
}

function isOf<T extends object>(told: unknown, field: keyof T): told is T {
  return typeof told === 'object' && told !== null && field in told
}

const AWAY = [502, 503, 504] // what a proxy says when there is no gateway behind it
const AGAIN_S = 2

async function read<T>(answer: Response): Promise<T> {
  return taken(answer, await json(answer))
}

/** What was told, if that is what was asked for; else throws the Problem that it is. */
function taken<T>(answer: Response, told: unknown): T {
  if (answer.ok && told !== undefined) return told as T
  if (isOf<Told>(told, 'code')) {
    throw new Problem(answer.status, told.code, told.detail, retryAfterS(answer.headers.get('Retry-After')))
  }
  if (AWAY.includes(answer.status)) throw new Problem(answer.status, UNREACHABLE, '', AGAIN_S)
  throw new Problem(answer.status, STRANGE, '', null)
}

const WAIT_LEAST_S = 1
const WAIT_MOST_S = 3600

/** The header Retry-After: seconds or a date. null: it says nothing of the kind. */
function retryAfterS(said: string | null): number | null {
  if (said === null) return null
  const seconds = /^\d+$/.test(said) ? Number(said) : (Date.parse(said) - Date.now()) / 1000
  return Number.isNaN(seconds) ? null : Math.min(WAIT_MOST_S, Math.max(WAIT_LEAST_S, seconds))
}
