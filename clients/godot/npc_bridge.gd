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
## A request was answered; await [method request] instead.
signal answered(id: int, frame: Dictionary)

const SUBPROTOCOL := "npc-memory.v1.msgpack"
## Godot drops messages longer than its buffer; an explained prompt can be long.
const BUFFER := 4 * 1024 * 1024

var _socket := WebSocketPeer.new()
var _listeners := {}
var _open := {}
var _last := 0
var _up := false


## Connect and say hello; the answer is the welcome, or an error.
func open(url: String, client: String, fields := {}) -> Dictionary:
	_socket.supported_protocols = PackedStringArray([SUBPROTOCOL])
	_socket.inbound_buffer_size = BUFFER
	_socket.outbound_buffer_size = BUFFER
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
func request(type: String, fields := {}, on_text := Callable()) -> Dictionary:
	if not _up:
		return _lost(0)
	_last += 1
	var id := _last
	var frame := {"type": type, "id": id}
	frame.merge(fields)
	_open[id] = true
	if on_text.is_valid():
		_listeners[id] = on_text
	_socket.send(NpcMsgpack.encode(frame))
	while true:
		var got: Array = await answered
		if got[0] == id:
			return got[1]
	return {}


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


func _take(packet: PackedByteArray) -> void:
	var decoder := NpcMsgpack.decoder(packet)
	var frame: Variant = decoder.read()
	if decoder.error:
		push_error("npc-memory: %s" % decoder.error)
	elif not frame.has("re"):
		if frame.type == "error":
			push_error("npc-memory: %s" % frame.message)
		else:
			pushed.emit(frame)
	elif frame.type == "token":
		if _listeners.has(frame.re):
			_listeners[frame.re].call(frame.text)
	else:
		_answer(frame.re, frame)


func _answer(id: int, frame: Dictionary) -> void:
	_open.erase(id)
	_listeners.erase(id)
	answered.emit(id, frame)


func _lost(id: int) -> Dictionary:
	return {
		"type": "error",
		"re": id,
		"code": "connection_lost",
		"message": "there is no connection to the bridge",
		"hint": "start it, open the connection again, and send the request with the same key",
		"details": {},
	}
