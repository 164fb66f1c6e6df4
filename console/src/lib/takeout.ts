import { call } from '../api/client'
import { KINDS, STATES } from './memories'

const PAGE = 100

/**
 * All that is kept of a person, as lines of JSON: a head, their profile, conversations, stretches of dialogue as they were
 * said, memories of every state, each with its provenance; last how many lines there were. `told` hears how many so far.
 */
export async function takeout(user: string, told: (lines: number) => void): Promise<string[]> {
  const lines: string[] = []
  const add = (kind: string, value: unknown): void => void lines.push(JSON.stringify({ record: kind, ...(value as object) }))
  add('head', { user_id: user, as_of: new Date().toISOString() })
  add('profile', await call('GetProfile', { user_id: user }))
  const parts = [
    ['conversation', (cursor: string) => call('ListConversations', { user_id: user, cursor, limit: PAGE })],
    ['memunit', (cursor: string) => call('ListMemUnits', { user_id: user, cursor, limit: PAGE, include: ['original_data'] })],
    ['memory', (cursor: string) => call('ListMemories', { user_id: user, cursor, limit: PAGE, kinds: [...KINDS], states: [...STATES] })],
  ] as const
  for (const [kind, page] of parts) {
    let cursor = ''
    do {
      const found = await page(cursor)
      for (const item of found.items) add(kind, item)
      cursor = found.cursor
      told(lines.length)
    } while (cursor)
  }
  add('end', { lines: lines.length + 1 })
  return lines
}

/** Lines as a file. */
export function fileOf(lines: readonly string[]): Blob {
  return new Blob([`${lines.join('\n')}\n`], { type: 'application/x-ndjson' })
}

/** Hands a file to the browser. */
export function download(name: string, file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
