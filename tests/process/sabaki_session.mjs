// What Sabaki does with an engine, through Sabaki's own library; a report as JSON on stdout.
// node sabaki_session.mjs DIRECTORY COMMAND [ARGUMENT ...]
import gtp from '@sabaki/gtp'

const [directory, command, ...args] = process.argv.slice(2)
const controller = new gtp.Controller(command, args, { cwd: directory })
const tracker = new gtp.ControllerStateTracker(controller)

const report = { sent: [], received: [], stderr: [], analyses: [], history: [], quit: {} }
const text = (command) => gtp.Command.toString(command)
controller.on('command-sent', ({ command }) => report.sent.push(text(command)))
controller.on('response-received', ({ command, response }) =>
  report.received.push({ command: text(command), ...response })
)
controller.on('stderr', ({ content }) => report.stderr.push(content))
controller.on('stopped', ({ signal }) => (report.quit.code = signal)) // the exit code, in fact
process.on('exit', (code) => code && console.error(report.stderr.join('\n')))

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds))
const send = (name, ...args) => controller.sendCommand({ name, args })

/** As Sabaki: whatever is asked next first ends what runs. */
function abort() {
  return controller.busy ? send('protocol_version') : null
}

function queue(command, subscriber) {
  abort()
  return tracker.queueCommand(command, subscriber)
}

function sync(history) {
  abort()
  const commands = history.map((move) => ({ name: 'play', args: move.split(' ') }))
  return tracker.sync({ komi: 6.5, boardsize: [9, 9], history: commands })
}

/** Start an analysis; the lines come in while it runs. */
function analyze(color) {
  const names = ['analyze', 'kata-analyze', 'lz-analyze']
  const analysis = { name: names.find((name) => tracker._commands.includes(name)), lines: [] }
  report.analyses.push(analysis)
  return queue({ name: analysis.name, args: [color, '10'] }, ({ line }) =>
    analysis.lines.push(line)
  )
}

controller.start()
await Promise.all(['name', 'version', 'protocol_version', 'list_commands'].map((name) => send(name)))

await sync(['B E5', 'W C3', 'B G3', 'W pass'])
await queue({ name: 'genmove', args: ['B'] })

let analysis = analyze('W') // stopped by the user
await sleep(1000)
await abort()
await analysis

analysis = analyze('W') // ended by the next thing that the user does
await sleep(300)
await sync(['B E5', 'W C3', 'B G3'])
await analysis
await queue({ name: 'genmove', args: ['W'] })
report.history = tracker.state.history.map(text)

const numbers = Array.from({ length: 40 }, (_, index) => 100 + index)
await Promise.all(
  numbers.map((id) => controller.sendCommand({ id, name: 'known_command', args: ['play'] }))
)

const asked = Date.now()
await controller.stop(3000)
report.quit.milliseconds = Date.now() - asked
console.log(JSON.stringify(report))
