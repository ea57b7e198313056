class_name NpcBridge
extends Node
## A connection to the npc-memory bridge. Add it to the tree, call [method open], and await answers:
## [codeblock]
## var reply: Dictionary = await bridge.talk("marta", "p1", "Is the king well?", print)
## [/codeblock]

## A frame that answers nothing: an NPC has something on her mind, or a save was loaded.
signal pushed(frame: Dictionary)
## The connection has ended; every open request was answered with "connection_lost".
signal closed(code: int)

const SUBPROTOCOL := "npc-memory.v1.msgpack"
## Godot drops messages longer than its buffers (64 KiB unless told otherwise); an explained prompt
## can be long. The bridge itself closes the connection on a message above 1 MiB.
const INBOUND := 4 << 20
const OUTBOUND := 1 << 20
## Godot drops messages beyond this number between two frames of the game (4096 unless told
## otherwise): a long load screen while many NPCs speak.
const QUEUE := 1 << 16

var _socket := WebSocketPeer.new()
var _open := {}
var _last := 0
var _up := false


## A request under way.
class Pending:
	extends RefCounted
	signal answered(frame: Dictionary)
	var on_text := Callable()


# A paused game must still read: the bridge leaves a client that stops answering its pings.
func _init() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS


func _process(_delta: float) -> void:
	if not _up:
		return
	_socket.poll()
	while _socket.get_available_packet_count() > 0:
		_take(_socket.get_packet())
	if _socket.get_ready_state() == WebSocketPeer.STATE_CLOSED:
		_up = false
		for id: int in _open.keys():
			_answer(id, _lost(id))
		closed.emit(_socket.get_close_code())


## Connect and say hello; the answer is the welcome, or an error. May be called again after
## [signal closed].
func open(url: String, client: String, fields := {}) -> Dictionary:
	_socket.supported_protocols = PackedStringArray([SUBPROTOCOL])
	_socket.inbound_buffer_size = INBOUND
	_socket.outbound_buffer_size = OUTBOUND
	_socket.max_queued_packets = QUEUE
	if _socket.connect_to_url(url) != OK:
		return _lost(0)
	while _socket.get_ready_state() == WebSocketPeer.STATE_CONNECTING:
		await get_tree().process_frame
		_socket.poll()
	if _socket.get_ready_state() != WebSocketPeer.STATE_OPEN:
		return _lost(0)
	_up = true
	var hello := {"protocol": 1, "client": client}
	hello.merge(fields)
	return await request("hello", hello)


## Say something to an NPC; [param on_text] gets her words as they come.
func talk(
	npc: String, player: String, text: String, on_text := Callable(), fields := {}
) -> Dictionary:
	var frame := {"npc": npc, "player": player, "text": text, "stream": on_text.is_valid()}
	frame.merge(fields)
	return await request("talk", frame, on_text)


## Any frame of the wire; the answer is the frame that ends it (its "type" may be "error").
## [param on_text] gets the words of a talk, or the lines of a converse, each a reply.
func request(type: String, fields := {}, on_text := Callable()) -> Dictionary:
	if not _up:
		return _lost(0)
	_last += 1
	var id := _last
	var frame := {"type": type, "id": id}
	frame.merge(fields)
	var encoder := NpcMsgpack.new()
	var message := encoder.write(frame)
	if encoder.error:
		return _error(
			id, "bad_frame", encoder.error, "send text, numbers, booleans, arrays, dictionaries"
		)
	if message.size() > OUTBOUND:
		return _error(
			id, "too_long", "%d bytes in one message" % message.size(), "send less at once"
		)
	if _socket.send(message) != OK:
		return _error(id, "busy", "the outgoing buffer is full", "send it again a moment later")
	var pending := Pending.new()
	pending.on_text = on_text
	_open[id] = pending
	return await pending.answered


## Leave; [signal closed] follows.
func close() -> void:
	_socket.close()


func _take(packet: PackedByteArray) -> void:
	var decoder := NpcMsgpack.decoder(packet)
	var frame: Variant = decoder.read()
	if not frame is Dictionary:
		push_error("npc-memory: %s" % (decoder.error if decoder.error else "a frame is a map"))
		_socket.close(1002)
	elif not frame.has("re"):
		if frame.type == "error":
			push_error("npc-memory: %s" % frame.message)
		else:
			pushed.emit(frame)
	elif frame.type == "token":
		_hear(frame.re, frame.text)
	elif frame.type == "reply" and frame.get("kind") == "converse":
		_hear(frame.re, frame)
	else:
		_answer(frame.re, frame)


func _hear(id: int, what: Variant) -> void:
	if _open.has(id) and _open[id].on_text.is_valid():
		_open[id].on_text.call(what)


func _answer(id: int, frame: Dictionary) -> void:
	var pending: Pending = _open.get(id)
	_open.erase(id)
	if pending:
		pending.answered.emit(frame)


func _lost(id: int) -> Dictionary:
	return _error(
		id,
		"connection_lost",
		"there is no connection to the bridge",
		"start it, open the connection again, and send the request with the same key"
	)


func _error(id: int, code: String, message: String, hint: String) -> Dictionary:
	return {
		"type": "error", "re": id, "code": code, "message": message, "hint": hint, "details": {}
	}
