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
  version: string
}

export interface Health {
  status: string
  version: string
  components: Record<string, { status: string; [figure: string]: unknown }>
}

const MARK = { 'X-Anamnesis-Console': '1' }
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

export async function whoIsHere(): Promise<Here> {
  return read(await send('/console/session', 'GET'))
}

export async function signIn(key: string): Promise<Here> {
  return read(await send('/console/session', 'POST', { key }))
}

export async function signOut(): Promise<void> {
  await send('/console/session', 'DELETE')
}

/** Whether the gateway answers at all. */
export async function isAlive(): Promise<boolean> {
  try {
    return (await send('/live', 'GET')).ok
  } catch {
    return false
  }
}

/** How the parts of the gateway are; when it is down that is an answer too. */
export async function health(): Promise<Health> {
  const answer = await send('/health', 'GET')
  return (await answer.json()) as Health
}

async function send(path: string, method: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...(method === 'GET' ? {} : MARK) }
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
