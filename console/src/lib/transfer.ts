import { call, Problem } from '../api/client'
import { type Form, recordsOf, TYPES, writerOf } from './recordFiles'
import { locale } from './words'

const PAGE = 500
const BATCH_BYTES = 1024 * 1024
const TRIES = 10
/** Something of the user was erased meanwhile: nobody wants it back. */
const OVERTAKEN = 'overtaken'

/** Asks again what is worth a retry. */
async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tried = 1; ; tried++) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      const again = error instanceof Problem && error.code !== OVERTAKEN && tried < TRIES ? error.retryAfterS : null
      if (again === null) throw error
      await new Promise((resolve) => setTimeout(resolve, again * 1000))
    }
  }
}

/** The memories of one user, or of all (''), as a file, page by page. `told` hears how many there are so far. */
export async function exported(user: string, form: Form, told: (memories: number) => void, signal: AbortSignal): Promise<Blob> {
  const writer = writerOf(form)
  const parts: Blob[] = []
  let cursor = ''
  let count = 0
  do {
    const from = cursor
    const page = await patiently(() => call('ExportMemories', { user_id: user || null, cursor: from, limit: PAGE }), signal)
    const head = parts.length ? '' : writer.begin(page.as_of, user)
    parts.push(new Blob([head, ...page.records.map(writer.add)])) // the browser may keep it outside of memory
    count += page.records.length
    cursor = page.cursor
    told(count)
  } while (cursor)
  return new Blob([...parts, writer.end()], { type: TYPES[form] })
}

export interface Outcome {
  added: number
  same: number
  refused: { line: number; reason: string }[]
  done: number
}

/** Sends the records of a file that was checked, to whose they were or to one user. `told` hears what became of them. */
export async function imported(
  file: Blob,
  { user, dryRun }: { user: string; dryRun: boolean },
  told: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  const outcome: Outcome = { added: 0, same: 0, refused: [], done: 0 }
  let whose = ''
  let size = 0
  let numbers: number[] = []
  let records: Record<string, unknown>[] = []
  const send = async (): Promise<void> => {
    if (!records.length) return
    const request = { user_id: whose, records, dry_run: dryRun, locale: locale.value }
    const answer = await patiently(() => call('ImportMemories', request), signal)
    outcome.added += answer.added
    outcome.same += answer.same
    outcome.done += records.length
    for (const [place, one] of answer.outcomes.entries()) {
      if (one.outcome === 'refused') outcome.refused.push({ line: numbers[place]!, reason: one.reason ?? '' })
    }
    told({ ...outcome })
    numbers = []
    records = []
    size = 0
  }
  for await (const { number, bytes, record } of recordsOf(file)) {
    const owner = user || record.user_id
    if (owner !== whose || records.length === PAGE || size + bytes.length > BATCH_BYTES) await send()
    whose = owner
    numbers.push(number)
    records.push(record as unknown as Record<string, unknown>)
    size += bytes.length
  }
  await send()
}
