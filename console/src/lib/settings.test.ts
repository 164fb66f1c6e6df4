import { describe, expect, it } from 'vitest'
import type { SettingItem } from '../api/operations'
import { sectionsOf, written } from './settings'

function item(key: string, more: Partial<SettingItem> = {}): SettingItem {
  return { key, value: 1, default: 1, origin: 'default', secret: false, why: '', ...more }
}

const ITEMS = [
  item('server.port', { origin: 'flag' }),
  item('server.host', { why: 'address to listen on' }),
  item('redis.url', { origin: 'environment', source: 'REDIS_URL' }),
]

describe('settings', () => {
  it('stand by section in their order', () => {
    const found = sectionsOf(ITEMS, { contains: '', changed: false })
    expect(found.map(({ name, items }) => [name, items.length])).toEqual([
      ['server', 2],
      ['redis', 1],
    ])
  })

  it('are found by name, source and explanation, whatever the case', () => {
    for (const [contains, key] of [
      ['PORT', 'server.port'],
      [' redis_url ', 'redis.url'],
      ['listen', 'server.host'],
    ] as const) {
      const found = sectionsOf(ITEMS, { contains, changed: false })
      expect(found.flatMap(({ items }) => items.map((each) => each.key))).toEqual([key])
    }
    expect(sectionsOf(ITEMS, { contains: 'nothing', changed: false })).toEqual([])
  })

  it('are left out where nothing set them, when that is asked for', () => {
    const found = sectionsOf(ITEMS, { contains: '', changed: true })
    expect(found.flatMap(({ items }) => items.map((each) => each.key))).toEqual(['server.port', 'redis.url'])
  })

  it('are written as config.yaml has them', () => {
    expect([8077, 0.5, false, 'auto', ''].map(written)).toEqual(['8077', '0.5', 'false', 'auto', '""'])
    expect(written({ default: 'keep', card: 'redact' })).toBe('default: keep, card: redact')
  })
})
