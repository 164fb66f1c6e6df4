// What the tests of the logic have of a browser.
import 'vue' // before there is a document that is none
import { vi } from 'vitest'

vi.stubGlobal('localStorage', { getItem: () => 'en', setItem: () => undefined })
vi.stubGlobal('navigator', { language: 'en-GB' })
vi.stubGlobal('document', { documentElement: { lang: '' }, hidden: false, addEventListener: () => undefined })
