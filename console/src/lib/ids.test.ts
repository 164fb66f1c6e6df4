import { expect, test } from 'vitest'
import { idsIn } from './ids'

test('ids are split where people split them, and count once', () => {
  expect(idsIn(' a,b c\nd、e，f\t,\r\n a；b;g ')).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  expect(idsIn(' \n,、 ')).toEqual([])
})

test('ten thousand ids stay as many', () => {
  const many = Array.from({ length: 10_001 }, (_, number) => `id-${number}`)
  expect(idsIn(many.join('、'))).toEqual(many)
})
