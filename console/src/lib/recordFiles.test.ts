import { beforeEach, describe, expect, it } from 'vitest'
import type { MemoryRecord } from '../api/operations'
import { checked, type Form, type Rec, recordsOf, writerOf } from './recordFiles'
import { speak } from './words'

function record(number: number, more: Partial<MemoryRecord> = {}): MemoryRecord {
  return {
    memory_id: `m${number}`,
    user_id: 'u1',
    kind: 'fact',
    category: 'fact',
    type: 'fact',
    text: `喝茶 ${number}`,
    source: { conversation: 'c', unit_id: '', seqs: [number], quote: '' },
    occurred_ms: 86_400_000 * number,
    recorded_ms: 0,
    ...more,
  }
}

function written(form: Form, ...those: Rec[]): string {
  const writer = writerOf(form)
  return writer.begin('2026-01-31T08:30:00.000Z', '') + those.map(writer.add).join('') + writer.end()
}

beforeEach(() => speak('en'))

describe('lines of JSON', () => {
  it('are read as they were written, in whatever pieces they come', async () => {
    const those = Array.from({ length: 3000 }, (_, number) => record(number, { user_id: number % 2 ? 'a' : 'b', text: '长'.repeat(number) }))
    const file = new Blob([written('jsonl', ...those)])
    expect(await checked(file)).toEqual({ memories: 3000, users: 2 })
    const found = []
    for await (const { number, record } of recordsOf(file)) found.push([number, record])
    expect(found).toEqual(those.map((one, place) => [place + 2, one]))
  })

  it('are refused when they are not whole', async () => {
    const file = written('jsonl', record(1), record(2))
    const lines = file.split('\n')
    const spoilt: [string, RegExp][] = [
      ['', /cut off/],
      [file.slice(0, -3), /Line 4 cannot be read/],
      [lines.slice(0, 3).join('\n'), /cut off/],
      [lines.slice(1).join('\n'), /no export/],
      [file.replace('喝茶 2', '喝茶 3'), /changed/],
      [file.replace('"count":2', '"count":3'), /changed/],
      [file.replace('2026', '2027'), /changed/],
      [[lines[0], lines[2], lines[1], lines[3], ''].join('\n'), /changed/],
      [file + lines[1], /behind the end/],
      [file.replace('"user_id"', '"user"'), /Line 2 cannot be read/],
    ]
    for (const [text, why] of spoilt) await expect(checked(new Blob([text])), text).rejects.toThrow(why)
    const bytes = new TextEncoder().encode(file)
    for (let length = 0; length < bytes.length - 1; length++) {
      await expect(checked(new Blob([bytes.subarray(0, length)]))).rejects.toThrow()
    }
    await expect(checked(new Blob([bytes.map((byte) => (byte > 127 ? 0xff : byte))]))).rejects.toThrow(/cannot be read/)
  })
})

it('a table holds no formula', () => {
  for (const formula of ['=1+2', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("http://x","y")', '＝1', '=cmd|\' /C calc\'!A0']) {
    const source = { conversation: formula, unit_id: '', seqs: [], quote: formula }
    const made = written('csv', record(1, { text: formula, object: formula, subject: formula, speaker: formula, source }))
    expect(made.startsWith('\ufeff"user_id"')).toBe(true)
    expect(made.split(`"'${formula.replaceAll('"', '""')}"`)).toHaveLength(7)
    expect(made.includes(`"${formula.replaceAll('"', '""')}"`)).toBe(false)
  }
})

it('a text is in the order of time and in the reader’s language', () => {
  speak('zh')
  const quoted = { conversation: 'c9', unit_id: '', seqs: [1], quote: '\x1b[31m我爱喝茶\n真的' }
  const those = [
    record(3, { archived_ms: 1 }),
    record(1, { source: quoted, superseded_by: 'm3' }),
    record(2, { valid_to_ms: 86_400_000 * 9 }),
    record(4, { kind: 'link' }),
    record(5, { user_id: 'u2', kind: 'event' }),
  ]
  expect(written('txt', ...those)).toBe(
    '截至 2026-01-31T08:30:00.000Z 的记忆\n\n' +
      'u1\n' +
      '- 1970-01-02 [事实] 喝茶 1（已被取代）\n' +
      '    “\\u001b[31m我爱喝茶\\n真的” c9\n' +
      '- 1970-01-03 [事实] 喝茶 2（至 1970-01-10）\n' +
      '- 1970-01-04 [事实] 喝茶 3（已归档）\n\n' +
      'u2\n' +
      '- 1970-01-06 [事件] 喝茶 5\n\n' +
      '共 4 条记忆\n',
  )
})

describe('what callers told', () => {
  const told = { name: '=李雷', allergies: ['青霉素', '花生'], preferences: { timezone: 'Asia/Shanghai', diet: { no: ['猪肉'] } } }
  const those = [{ user_id: 'u1', profile: told }, record(1), { user_id: 'u2', profile: { allergies: ['\x1b芒果'] } }]

  it('is read first, and is no memory', () => {
    speak('zh')
    expect(written('txt', ...those)).toBe(
      '截至 2026-01-31T08:30:00.000Z 的记忆\n\n' +
        'u1\n' +
        '- [偏好] diet: {"no":["猪肉"]}\n' +
        '- [偏好] timezone: Asia/Shanghai\n' +
        '- [姓名] =李雷\n' +
        '- [登记的过敏] 花生\n' +
        '- [登记的过敏] 青霉素\n' +
        '- 1970-01-02 [事实] 喝茶 1\n\n' +
        'u2\n' +
        '- [登记的过敏] \\u001b芒果\n\n' +
        '共 1 条记忆\n',
    )
  })

  it('has a row for each, and no formula', () => {
    const [names, ...rows] = written('csv', ...those.slice(0, 1)).split('\r\n').slice(0, -1)
    expect(rows).toHaveLength(5)
    expect(rows[0]).toMatch(/^"u1","","profile","","","'=李雷","","name","'=李雷",/)
    expect(new Set(rows.map((row) => row.split('","').length))).toEqual(new Set([names!.split('","').length]))
  })

  it('goes out and comes in as a line of its own', async () => {
    const found = []
    for await (const { record } of recordsOf(new Blob([written('jsonl', ...those)]))) found.push(record)
    expect(found).toEqual(those)
  })
})
