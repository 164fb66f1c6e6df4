import type { Operations } from './operations'

/** What the gateway answered instead: its problem document, or that it did not answer at all (`unreachable`). */
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
  version: string
}

export interface Health {
  status: string
  version: string
  components: Record<string, { status: string; [figure: string]: unknown }>
}

const MARK = 'X-Anamnesis-Console'
let visit = '1' // what names the visit of this page: somebody else may sign in beside it, in the same browser
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
  const answer = await send(`/v1/${name}`, 'POST', request)
  if (answer.status === 401) onSignedOut()
  return read(answer)
}

/** Who is here by the browser's cookie. */
export async function whoIsHere(): Promise<Here> {
  return read(await send('/console/session', 'GET'))
}

/** From now on this page acts for them. */
export function actFor(here: Here): void {
  visit = here.visit || '1'
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
  return (await answer.json()) as Health
}

async function send(path: string, method: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', [MARK]: visit }
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  try {
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    return await fetch(path, { method, headers, credentials: 'same-origin', cache: 'no-store', ...given })
  } catch {
    throw new Problem(0, 'unreachable', '', 2)
  }
}

async function read<T>(answer: Response): Promise<T> {
  let told: Record<string, unknown>
  try {
    told = (await answer.json()) as Record<string, unknown>
  } catch {
    throw new Problem(answer.status, 'unreachable', answer.statusText, 2)
  }
  if (answer.ok) return told as T
  const retry = answer.headers.get('Retry-After')
  throw new Problem(answer.status, String(told.code), String(told.detail), retry === null ? null : Number(retry))
}
