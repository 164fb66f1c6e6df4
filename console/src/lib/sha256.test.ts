import { expect, it } from 'vitest'
import { Sha256 } from './sha256'

function digest(...parts: Uint8Array[]): string {
  const hash = new Sha256()
  for (const part of parts) hash.update(part)
  return hash.hex()
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

it('is that of everybody, whatever the length and however it comes', async () => {
  expect(digest()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(digest(new TextEncoder().encode('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, place) => (place * 7 + length) % 256)
    const expected = hex(await crypto.subtle.digest('SHA-256', bytes))
    expect(digest(bytes)).toBe(expected)
    expect(digest(bytes.subarray(0, length / 3), bytes.subarray(length / 3))).toBe(expected)
  }
})
