import type { MemoryRecord, ProfileRecord, ToldProfile } from '../api/operations'
import { Sha256 } from './sha256'
import { t } from './words'

// As gateway/commands/record_files.py writes and reads them; a test holds the two together.

export type Form = 'jsonl' | 'csv' | 'txt'
const NAME = 'anamnesis-memories'
const FORMAT = 1
const BOM = '\ufeff'
/** What a cell of a formula begins with (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const PLAIN = ['user_id', 'memory_id', 'kind', 'category', 'type', 'text', 'subject', 'predicate', 'object'] as const
const TIMES = ['occurred', 'recorded', 'valid_from', 'valid_to', 'archived'] as const
const DAY_CHARS = 10
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** A memory, or what callers have told of a user: the one record that is none. */
export type Rec = MemoryRecord | ProfileRecord

/** Each thing that callers have told: of which list, and what. */
function* toldIn(profile: ToldProfile): Generator<[keyof ToldProfile, string]> {
  for (const [name, told] of Object.entries(profile) as [keyof ToldProfile, string | string[] | Record<string, unknown>][]) {
    if (typeof told === 'string') yield [name, told]
    else if (Array.isArray(told)) for (const said of told) yield [name, said]
    else for (const [key, value] of Object.entries(told)) yield [name, `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`]
  }
}

/** Makes a file of records that come one after the other, ordered by user; what it returns is to be written. */
export interface Writer {
  begin: (asOf: string, user: string) => string
  add: (record: Rec) => string
  end: () => string
}

export const TYPES: Record<Form, string> = { jsonl: 'application/x-ndjson', csv: 'text/csv', txt: 'text/plain' }

export function writerOf(form: Form): Writer {
  return form === 'jsonl' ? lines() : form === 'csv' ? table() : text()
}

function lines(): Writer {
  const hash = new Sha256()
  const encoder = new TextEncoder()
  let count = 0
  const line = (value: unknown): string => {
    const made = `${JSON.stringify(value)}\n`
    hash.update(encoder.encode(made))
    return made
  }
  return {
    begin: (asOf, user) => line({ export: NAME, format: FORMAT, as_of: asOf, ...(user ? { user_id: user } : {}) }),
    add: (record) => {
      count += 1
      return line(record)
    },
    end: () => `${JSON.stringify({ end: true, count, sha256: hash.hex() })}\n`,
  }
}

function moment(at: number | null | undefined): string {
  return at === null || at === undefined ? '' : new Date(at).toISOString()
}

function table(): Writer {
  const cell = (value: string): string => `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`
  const row = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`
  const times = TIMES.map((name) => `${name}_at`)
  const columns = [...PLAIN, 'denied', 'attributes', 'speaker', 'importance', 'mind', ...times, 'superseded_by', 'conversation', 'seqs', 'quote']
  const told = (user: string, name: string, said: string): string => {
    const cells: Record<string, string> = { user_id: user, kind: 'profile', text: said, predicate: name, object: said }
    return row(columns.map((column) => cells[column] ?? ''))
  }
  return {
    begin: () => BOM + row(columns),
    add: (record) => {
      if ('profile' in record) return [...toldIn(record.profile)].map(([name, said]) => told(record.user_id, name, said)).join('')
      return row([
        ...PLAIN.map((name) => String(record[name] ?? '')),
        String(record.polarity === '-'),
        record.attributes ? JSON.stringify(record.attributes) : '',
        record.speaker ?? '',
        (record.importance ?? 0.5).toFixed(3),
        record.mind ?? 'rules',
        ...TIMES.map((name) => moment(record[`${name}_ms`])),
        record.superseded_by ?? '',
        record.source.conversation,
        record.source.seqs.join(' '),
        record.source.quote,
      ])
    },
    end: () => '',
  }
}

function visibleLine(said: string): string {
  const shown = said.replace(HIDDEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return shown.replaceAll('\n', '\\n').replaceAll('\t', ' ')
}

function standing(record: MemoryRecord): string {
  const day = moment(record.valid_to_ms).slice(0, DAY_CHARS)
  const what = record.archived_ms ? t('archived') : record.superseded_by ? t('superseded') : day ? t('untilDay', { day }) : ''
  return what && t('inBrackets', { what })
}

function text(): Writer {
  let user = ''
  let told: [number, string][] = []
  let count = 0
  const line = (record: MemoryRecord): string => {
    const said = `- ${moment(record.occurred_ms).slice(0, DAY_CHARS)} [${t(record.kind)}] ${visibleLine(record.text)}${standing(record)}\n`
    const { quote, conversation } = record.source
    return quote && quote !== record.text ? `${said}    “${visibleLine(quote)}” ${conversation}`.trimEnd() + '\n' : said
  }
  const ofOne = (): string => {
    const those = told.sort(([a, one], [b, other]) => a - b || (one < other ? -1 : 1)).map(([, said]) => said)
    told = []
    return those.length ? `\n${user}\n${those.join('')}` : ''
  }
  return {
    begin: (asOf) => `${t('memoriesAsOf', { at: asOf })}\n`,
    add: (record) => {
      const before = record.user_id === user ? '' : ofOne()
      user = record.user_id
      if ('profile' in record) {
        for (const [name, said] of toldIn(record.profile)) told.push([-Infinity, `- [${t(`told_${name}`)}] ${visibleLine(said)}\n`])
      } else if (record.kind !== 'link') {
        told.push([record.occurred_ms, line(record)])
        count += 1
      }
      return before
    },
    end: () => `${ofOne()}\n${t('memoriesInAll', { count })}\n`,
  }
}

export interface Line {
  number: number
  bytes: Uint8Array
  record: Rec
}

/** What a file holds that is whole. */
export interface Found {
  memories: number
  users: number
}

/** The lines of a file, one after the other. */
async function* linesOf(file: Blob): AsyncGenerator<{ number: number; bytes: Uint8Array; value: Record<string, unknown> }> {
  let number = 0
  let rest = new Uint8Array()
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const read = (bytes: Uint8Array): { number: number; bytes: Uint8Array; value: Record<string, unknown> } => {
    number += 1
    try {
      const value: unknown = JSON.parse(decoder.decode(bytes))
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { number, bytes, value: value as Record<string, unknown> }
    } catch {
      // told below
    }
    throw new Error(t('lineIsNone', { number }))
  }
  for await (const chunk of chunksOf(file)) {
    const bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
    let from = 0
    for (let end = bytes.indexOf(10, rest.length); end >= 0; end = bytes.indexOf(10, from)) {
      yield read(bytes.subarray(from, end + 1))
      from = end + 1
    }
    rest = bytes.slice(from)
  }
  if (rest.length) yield read(rest)
}

async function* chunksOf(file: Blob): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  for (;;) {
    const { value } = await reader.read().catch(() => {
      throw new Error(t('unreadable')) // it was changed or taken away since it was chosen
    })
    if (!value) return
    yield value
  }
}

/** Looks through a whole file. Throws, in the viewer's words, when it is not whole, or none of ours. */
export async function checked(file: Blob): Promise<Found> {
  const hash = new Sha256()
  const users = new Set<unknown>()
  let memories = 0
  let end: Record<string, unknown> | undefined
  for await (const { number, bytes, value } of linesOf(file)) {
    if (number === 1 && (value.export !== NAME || value.format !== FORMAT)) throw new Error(t('noExport'))
    if (end) throw new Error(t('behindTheEnd', { number }))
    if ('end' in value) {
      end = value
      continue
    }
    hash.update(bytes)
    if (number === 1) continue
    if (typeof value.user_id !== 'string') throw new Error(t('lineIsNone', { number }))
    memories += 1
    users.add(value.user_id)
  }
  if (!end) throw new Error(t('cutOff'))
  if (end.count !== memories || end.sha256 !== hash.hex()) throw new Error(t('wasChanged'))
  return { memories, users: users.size }
}

/** The records of a file that was checked. */
export async function* recordsOf(file: Blob): AsyncGenerator<Line> {
  for await (const { number, bytes, value } of linesOf(file)) {
    if (number > 1 && !('end' in value)) yield { number, bytes, record: value as unknown as Rec }
  }
}
