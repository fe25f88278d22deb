// Plays a few moves on a 9x9 board with a daemon: node client.mjs ipc:///run/goengine
import { randomBytes } from 'node:crypto'
import { Dealer } from 'zeromq' // npm install zeromq

const address = process.argv[2]
const client = randomBytes(16).toString('hex')
const game = `example-${randomBytes(4).toString('hex')}`
const socket = new Dealer({ linger: 0, receiveTimeout: 1000 })
socket.connect(address.startsWith('tcp:') ? address : `${address}/requests`)
let n = 0

/** Send a request and return the text of its answer. */
async function ask(what, fields) {
  const id = String(++n)
  const request = JSON.stringify({ v: 1, do: what, id, client, game, ...fields })
  await socket.send(request)
  while (true) {
    let frame
    try {
      ;[frame] = await socket.receive()
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
      await socket.send(request) // the same id: it is never done twice
      continue
    }
    const answer = JSON.parse(frame.toString())
    if (answer.kind === 'error') throw new Error(`${answer.code}: ${answer.text}`)
    if (answer.kind === 'end' && answer.id === id) return answer.text
  }
}

await ask('open', { settings: { size: 9, playouts: 1000 } })
for (const color of ['black', 'white', 'black', 'white', 'black', 'white']) {
  const reply = await ask('gtp', { line: `genmove ${color}` }) // "= E5\n\n", or "? ..."
  console.log(color, reply.slice(2).trim())
}
process.stdout.write(await ask('gtp', { line: 'showboard' }))
await ask('close')
socket.close()
