import { expect, test } from 'vitest'
import { isKey, isThisComputer, looksLikeKey } from './endpoint-rules.ts'

test('this computer is all of 127, localhost and ::1, and nothing that looks alike', () => {
  for (const host of ['127.0.0.1', '127.0.0.2', '127.255.255.254', 'localhost', '[::1]']) expect([host, isThisComputer(host)]).toEqual([host, true])
  for (const host of ['127.0.0.1.example.com', '128.0.0.1', '192.168.1.2', 'localhost.example.com', '[::2]', '']) expect([host, isThisComputer(host)]).toEqual([host, false])
})

test('a key is what a header can carry', () => {
  expect(['sk-1', 'a', 'with blank', 'with\nline', 'schlüssel', '“sk-1”', ''].map(isKey)).toEqual([true, true, false, false, false, false, false])
})

test.each(['sk-proj-AbC123dEf456', 'sk-ant-api03-x', 'gsk_abc', 'xai-123', 'hf_Abc', 'AIzaSyA1b2C3', 'Bearer abc', 'a1b2c3d4e5f6a7b8c9d0e1f2', 'x-0123456789abcdef0123456789abcdef'])('%s is a key and no model', (text) => {
  expect(looksLikeKey(text)).toBe(true)
})

test.each(['gpt-5-mini', 'gpt-4o-mini-2024-07-18', 'llama3.3:70b-instruct-q4_K_M', 'meta-llama/Llama-3.3-70B-Instruct', 'claude-sonnet-4-5-20250929', 'ft:gpt-4o-mini-2024-07-18:acme::A1b2C3d4', 'hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M', 'skywork-o1', 'story-teller', 'an-organisation-with-a-name/a-model-with-a-much-longer-name-than-any-70b-instruct', 'deepseek-r1-distill-qwen-32b', 'rk3588-local'])('%s is a model', (text) => {
  expect(looksLikeKey(text)).toBe(false)
})
